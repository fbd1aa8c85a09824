import type { BriefAnswer } from '../../api/answers.ts';
import { ReadSoFar, Requests } from '../reading/section-body.tsx';

interface ApprovalReadingProps {
  readonly sessionId: string;
  /** The brief of the approval. */
  readonly brief: BriefAnswer;
}

/** What the owner has read of the revision to approve, and the requests for changes. */
export const ApprovalReading = ({ sessionId, brief }: ApprovalReadingProps) => (
  <>
    <p class="muted">
      <ReadSoFar sessionId={sessionId} brief={brief} unread={brief.unread} />
    </p>
    <Requests sessionId={sessionId} requests={brief.requests} />
  </>
);
