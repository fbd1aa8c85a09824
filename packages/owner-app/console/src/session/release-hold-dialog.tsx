import type { LiveSession } from '../state/live-session.ts';
import { useSeen } from '../ui/requests/use-action.ts';
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
  const seen = useSeen(live);
  return (
    <ReasonDialog
      sessionId={live.sessionId}
      of={live.view.value?.title}
      title={`Release hold ${holdId}`}
      about={<FindingWords sessionId={live.sessionId} findingId={findingId} />}
      explanation="The hold then no longer stops the approval and the authorizations. The finding stays open."
      confirm="Release the hold"
      onConfirm={(reason) => live.act('releaseHold', { hold_id: holdId, reason, ...seen })}
      onClose={onClose}
    />
  );
}
