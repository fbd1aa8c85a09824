import { useSignal } from '@preact/signals';
import { namedText } from '../../../../src/text/agent.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { useSeen } from '../../ui/requests/use-action.ts';
import { roleName } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';

interface CarryButtonProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly scenarioId: string;
}

/** The button that carries a stale pass over to the declared commits. Shown only while this waits for the owner. */
export function CarryButton({ live, view, scenarioId }: CarryButtonProps) {
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
          {...{ live, scenarioId }}
          text={wait.text}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}

interface DialogProps extends Pick<CarryButtonProps, 'live' | 'scenarioId'> {
  readonly text: string;
  readonly onClose: () => void;
}

function CarryDialog({ live, scenarioId, text, onClose }: DialogProps) {
  const seen = useSeen(live);
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Carry the pass of ${scenarioId} over`}
      explanation={`${namedText(text, roleName)} The pass then counts for the declared commits without a rerun, and is marked as carried over. Both agents can read your reason.`}
      confirm="Carry the pass over"
      onConfirm={(reason) => live.act('carry-pass', { scenario_id: scenarioId, reason, ...seen })}
      onClose={onClose}
    />
  );
}
