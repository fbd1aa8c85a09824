import { namedText } from '../../../../src/text/agent.ts';
import type { Board } from '../../api/types.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { DialogButton } from '../../ui/controls/dialog-button.tsx';
import { roleName } from '../../ui/text/shown.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { DeclaredPaths } from './handshakes-panel.tsx';

interface CarryButtonProps extends SessionProps {
  readonly board: Board;
  readonly scenarioId: string;
}

/** The button that carries a stale pass over to the declared commits. Shown only while this waits for the owner. */
export function CarryButton({ live, view, board, scenarioId }: CarryButtonProps) {
  const wait = view.waits.find(({ kind, record }) => kind === 'CARRY' && record.id === scenarioId);
  if (!wait) return null;
  return (
    <div class="buttons">
      <DialogButton label="Carry the pass over…">
        {(onClose) => (
          <ReasonDialog
            live={live}
            title={`Carry the pass of ${scenarioId} over`}
            explanation={`${namedText(wait.text, roleName)} If you carry it over, the pass counts for the declared commits without a rerun, and is marked as carried over. Both agents can read your reason.`}
            about={Object.entries(board.handshakes).map(([role, handshake]) => (
              <DeclaredPaths key={role} changes={handshake?.changes ?? {}} isOpen />
            ))}
            confirm="Carry the pass over"
            onConfirm={(reason, seen) => live.act('carryPass', { scenario_id: scenarioId, reason, ...seen })}
            onClose={onClose}
          />
        )}
      </DialogButton>
    </div>
  );
}
