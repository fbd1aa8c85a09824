import type { SessionDialogProps } from '../../state/live-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

/** The dialog that returns the contract to its author. */
export const RequestChangesDialog = ({ live, onClose }: Omit<SessionDialogProps, 'view'>) => (
  <ReasonDialog
    live={live}
    title="Request changes"
    explanation="The contract is returned to its author. If you have approved the contract, the approval, its manifest and every authorization are cancelled."
    confirm="Send it back"
    onConfirm={(reason, seen) => live.act('requestChanges', { reason, ...seen })}
    onClose={onClose}
  />
);
