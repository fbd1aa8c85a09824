import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { type Agent, BUILDERS, type Builder } from '../../kernel/roles.ts';
import { hasModerator, moderatorPermissions } from '../access/rules.ts';
import type { Revision } from '../contract/record.ts';
import { validationOf } from '../contract/rules.ts';
import { type Feed, unreadIn } from '../feed/state.ts';
import { isMapped } from '../preflight/rules.ts';
import { isStopped } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import { currentModeratorReview, standingObjection } from './moderator-rules.ts';
import type { Review } from './record.ts';

/**
 * The builder's review of the latest revision. Undefined if there is none, or if the owner requested changes after this
 * review.
 */
export function currentReview({ reviews, contract: { latest } }: SessionState, builder: Builder): Review | undefined {
  const review = reviews[builder];
  return review && isOfLatest(review, latest?.revision_id) ? review : undefined;
}

export const isOfLatest = ({ revision_id, overruled }: Review, latestId: string | undefined): boolean =>
  revision_id === latestId && !overruled;

/**
 * Whether the latest revision can be reviewed. False outside CONTRACT, and while a blocking finding, a request for
 * changes or a validation error must be settled first.
 */
function isReviewable(state: SessionState): boolean {
  const { contract, findings, profile } = state;
  const hasBlockingFinding = findings.open.some((id) => lookUp(findings.all, id)?.blocking);
  const isRejected = BUILDERS.some((builder) => currentReview(state, builder)?.verdict === 'REQUEST_CHANGES');
  return (
    profile.phase === 'CONTRACT' &&
    contract.latest !== null &&
    contract.requests.length === 0 &&
    !hasBlockingFinding &&
    !isRejected &&
    !standingObjection(state) &&
    validationOf(state).error_count === 0
  );
}

/**
 * The roles that must review the latest revision now. The Contract Author comes last: its review is due after the
 * review of the Technical Reviewer, after the review of a moderator that keeps up with its events, and after a
 * preflight that maps every requirement.
 */
export function reviewersDue(state: SessionState): Agent[] {
  if (!isReviewable(state)) return [];
  const { contract_author: author } = state.election;
  const lacksReview = (builder: Builder): boolean => currentReview(state, builder) === undefined;
  const due: Agent[] = BUILDERS.filter((builder) => builder !== author && lacksReview(builder));
  if (owesReview(state)) due.push('moderator');
  const isAwaited = due.some((role) => role !== 'moderator' || (!isStopped(state, role) && isAttentive(state.feed)));
  if (author !== null && !isAwaited && lacksReview(author) && isMapped(state)) due.push(author);
  return due;
}

/** If the moderator has more unacknowledged events than this, the author does not wait for the moderator's review. */
const MOST_UNREAD = 25;

/**
 * Whether the moderator keeps up with its events. If it does not, the author does not wait for the moderator's review.
 */
const isAttentive = (feed: Feed): boolean => feed.ackedCursor > 0 && unreadIn(feed) <= MOST_UNREAD;

const owesReview = (state: SessionState): boolean =>
  hasModerator(state) && moderatorPermissions(state).includes('review') && currentModeratorReview(state) === undefined;

/**
 * The call with which a reviewer reads a revision: the whole revision for the first review, later only the changes
 * since the revision that the reviewer reviewed last.
 * @param last the reviewer's latest review; undefined if there is none, or if the reviewer cannot call
 * `get_revision_diff`
 */
export const howToRead = ({ revision_id: id }: Revision, last: Review | undefined): string =>
  last && last.revision_id !== id
    ? `get_revision_diff (revision_id ${id}, against ${last.revision_id}, which you reviewed last)`
    : 'get_final_plan (format markdown or structured)';

export const reviewCall = ({ revision_id, content_hash }: Revision) => ({
  tool: 'submit_final_review',
  payload: { revision_id, content_hash, verdict: '<APPROVE or REQUEST_CHANGES>' },
});

export const moderatorReviewCall = ({ revision_id, content_hash }: Revision) => ({
  tool: 'submit_contract_review',
  payload: {
    revision_id,
    content_hash,
    verdict: '<APPROVE, REQUEST_CHANGES or COMMENT>',
    summary: '<your summary>',
    dimensions: '<a list; each item has name, score (1 to 5) and note>',
  },
});
