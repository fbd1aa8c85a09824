import type { LiveSession } from '../state/live-session.ts';
import { IdLinksContext } from '../ui/text/linked-text.tsx';
import { HeldFinding } from './held-finding.tsx';
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
      about={
        // With the value null, ids in the dialog are not links. A link would open the finding behind the dialog.
        <IdLinksContext.Provider value={null}>
          <HeldFinding sessionId={live.sessionId} holdId={holdId} />
        </IdLinksContext.Provider>
      }
      explanation="The hold then no longer stops the approval and the authorizations. The finding stays open."
      confirm="Release the hold"
      onConfirm={(reason) => live.act('release-hold', { hold_id: holdId, reason })}
      onClose={onClose}
    />
  );
}
