import type { LiveSession } from '../state/live-session.ts';
import { FindingWords } from './held-finding.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

interface ReleaseHoldDialogProps {
  readonly live: LiveSession;
  readonly holdId: string;
  /** The finding on which the hold rests. */
  readonly findingId: string;
  readonly onClose: () => void;
}

export const ReleaseHoldDialog = ({ live, holdId, findingId, onClose }: ReleaseHoldDialogProps) => (
  <ReasonDialog
    live={live}
    title={`Release hold ${holdId}`}
    about={<FindingWords sessionId={live.sessionId} findingId={findingId} />}
    explanation="The hold then no longer stops the approval and the authorizations. The finding stays open."
    confirm="Release the hold"
    onConfirm={(reason, seen) => live.act('releaseHold', { hold_id: holdId, reason, ...seen })}
    onClose={onClose}
  />
);
