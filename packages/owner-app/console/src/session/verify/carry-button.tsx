import { useSignal } from '@preact/signals';
import { namedText } from '../../../../src/text/agent.ts';
import type { Board, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { useSeen } from '../../ui/requests/use-action.ts';
import { roleName } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { DeclaredPaths } from './handshakes-panel.tsx';

interface CarryButtonProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly board: Board;
  readonly scenarioId: string;
}

/** The button that carries a stale pass over to the declared commits. Shown only while this waits for the owner. */
export function CarryButton({ live, view, board, scenarioId }: CarryButtonProps) {
  const isOpen = useSignal(false);
  const wait = view.waits.find(({ kind, record }) => kind === 'CARRY' && record.id === scenarioId);
  if (!wait) return null;
  return (
    <div class="buttons">
      <WriteButton
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Carry the pass over…
      </WriteButton>
      {isOpen.value && (
        <CarryDialog
          {...{ live, board, scenarioId }}
          text={wait.text}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}

interface DialogProps extends Pick<CarryButtonProps, 'live' | 'board' | 'scenarioId'> {
  readonly text: string;
  readonly onClose: () => void;
}

function CarryDialog({ live, board, scenarioId, text, onClose }: DialogProps) {
  const seen = useSeen(live);
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Carry the pass of ${scenarioId} over`}
      explanation={`${namedText(text, roleName)} If you carry it over, the pass counts for the declared commits without a rerun, and is marked as carried over. Both agents can read your reason.`}
      about={Object.entries(board.handshakes).map(([role, handshake]) => (
        <DeclaredPaths key={role} changes={handshake?.changes ?? {}} isOpen />
      ))}
      confirm="Carry the pass over"
      onConfirm={(reason) => live.act('carryPass', { scenario_id: scenarioId, reason, ...seen })}
      onClose={onClose}
    />
  );
}
