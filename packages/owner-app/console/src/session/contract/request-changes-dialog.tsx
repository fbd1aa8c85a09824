import type { LiveSession } from '../../state/live-session.ts';
import { useSeen } from '../../ui/requests/use-action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

interface RequestChangesDialogProps {
  readonly live: LiveSession;
  readonly onClose: () => void;
}

/** The dialog that returns the contract to its author. */
export function RequestChangesDialog({ live, onClose }: RequestChangesDialogProps) {
  const seen = useSeen(live);
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title="Request changes"
      explanation="The contract is returned to its author. If you have approved the contract, the approval, its manifest and every authorization are cancelled."
      confirm="Send it back"
      onConfirm={(reason) => live.act('requestChanges', { reason, ...seen })}
      onClose={onClose}
    />
  );
}
