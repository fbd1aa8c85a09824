import type { LiveSession } from '../state/live-session.ts';
import { ReasonDialog } from './reason-dialog.tsx';

interface ReleaseHoldDialogProps {
  readonly live: LiveSession;
  readonly holdId: string;
  readonly onClose: () => void;
}

export function ReleaseHoldDialog({ live, holdId, onClose }: ReleaseHoldDialogProps) {
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      title={`Release hold ${holdId}`}
      explanation="The hold then no longer stops the approval and the authorizations. The finding stays open."
      confirm="Release the hold"
      onConfirm={(reason) => live.act('release-hold', { hold_id: holdId, reason })}
      onClose={onClose}
    />
  );
}
