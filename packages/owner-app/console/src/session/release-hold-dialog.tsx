import type { LiveSession } from '../state/live-session.ts';
import { IdLinksContext } from '../ui/text/linked-text.tsx';
import { FindingWords } from './held-finding.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

interface ReleaseHoldDialogProps {
  readonly live: LiveSession;
  readonly holdId: string;
  /** The finding on which the hold rests. */
  readonly findingId: string;
  readonly onClose: () => void;
}

export function ReleaseHoldDialog({ live, holdId, findingId, onClose }: ReleaseHoldDialogProps) {
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      title={`Release hold ${holdId}`}
      about={
        // With the value null, ids in the dialog are not links. A link would open the finding behind the dialog.
        <IdLinksContext.Provider value={null}>
          <FindingWords sessionId={live.sessionId} findingId={findingId} />
        </IdLinksContext.Provider>
      }
      explanation="The hold then no longer stops the approval and the authorizations. The finding stays open."
      confirm="Release the hold"
      onConfirm={(reason) => live.act('release-hold', { hold_id: holdId, reason })}
      onClose={onClose}
    />
  );
}
