import type { SessionView } from '../api/types.ts';
import type { LiveSession } from '../state/live-session.ts';
import { ReasonDialog } from './reason-dialog.tsx';

interface ReleaseHoldDialogProps {
  readonly live: LiveSession;
  readonly hold: SessionView['holds'][number];
  readonly onClose: () => void;
}

export function ReleaseHoldDialog({ live, hold: { hold_id }, onClose }: ReleaseHoldDialogProps) {
  return (
    <ReasonDialog
      title={`Release hold ${hold_id}`}
      explanation="The hold then no longer stops the approval and the authorizations. The finding stays open."
      confirm="Release it"
      onConfirm={(reason) => live.act('release-hold', { hold_id, reason })}
      onClose={onClose}
    />
  );
}
