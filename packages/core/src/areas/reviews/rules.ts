import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { validationOf } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import type { SessionState } from '../state.ts';
import { standingObjection } from './moderator-rules.ts';
import type { Review } from './state.ts';

/** The builder's review of the latest revision; undefined if the owner has since requested changes of that revision. */
export function currentReview({ reviews, contract: { latest } }: SessionState, builder: Builder): Review | undefined {
  const review = reviews[builder];
  return review && isOfLatest(review, latest?.revisionId) ? review : undefined;
}

export const isOfLatest = ({ revisionId, isOverruled }: Review, latestId: string | undefined): boolean =>
  revisionId === latestId && !isOverruled;

/** Whether a review is due: no blocker requires another revision first. */
export function isReviewable(state: SessionState): boolean {
  const { contract, findings, profile } = state;
  const hasBlockingFinding = findings.open.some((id) => lookUp(findings.all, id)?.isBlocking);
  const isRejected = BUILDERS.some((builder) => currentReview(state, builder)?.verdict === 'REQUEST_CHANGES');
  return (
    profile.phase === 'CONTRACT' &&
    contract.latest !== null &&
    contract.sentBack === null &&
    !hasBlockingFinding &&
    !isRejected &&
    !standingObjection(state) &&
    validationOf(state).errorCount === 0
  );
}

/** The call that reviews this revision. */
export const reviewCall = ({ revisionId, contentHash }: Revision) => ({
  tool: 'submit_final_review',
  payload: { revision_id: revisionId, content_hash: contentHash, verdict: '<APPROVE or REQUEST_CHANGES>' },
});
