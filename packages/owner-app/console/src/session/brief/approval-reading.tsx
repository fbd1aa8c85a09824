import type { BriefAnswer } from '../../api/types.ts';
import { useRead } from '../../ui/requests/use-read.ts';
import { ReadSoFar } from '../reading/read-so-far.tsx';
import { UnnamedRequests } from '../reading/unnamed-requests.tsx';

interface ApprovalReadingProps {
  readonly sessionId: string;
  /** A number that changes when the session changes. */
  readonly version: number;
}

/**
 * What the owner has read of the revision to approve, and the requests for changes that no reason of a revision names.
 * Shows nothing until the brief is loaded, or if loading fails.
 */
export function ApprovalReading({ sessionId, version }: ApprovalReadingProps) {
  const { value: brief } = useRead<BriefAnswer>(`/sessions/${sessionId}/brief?stage=approval`, version);
  if (!brief) return null;
  return (
    <>
      <p class="muted">
        <ReadSoFar sessionId={sessionId} brief={brief} unread={brief.unread} />
      </p>
      <UnnamedRequests sessionId={sessionId} requests={brief.requests} />
    </>
  );
}
