import { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { type Agent, BUILDERS, type Builder } from '../../kernel/roles.ts';
import { hasModerator, isModeratorAdmitted, moderatorPermissions } from '../access/rules.ts';
import { isMapped } from '../contract/preflight.ts';
import { validationOf } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import { text } from '../fields.ts';
import { type Feed, unreadIn } from '../interventions/state.ts';
import { pickOf } from '../listing.ts';
import { isStopped } from '../quotas/rules.ts';
import type { SessionState } from '../state.ts';
import { type ModeratorReview, ModeratorReviewView, type Review, ReviewView } from './state.ts';

/**
 * The moderator's review of the latest revision. Undefined if there is none, or if the owner requested changes after
 * this review.
 */
export function currentModeratorReview(state: SessionState): ModeratorReview | undefined {
  const { latest } = state.contract;
  const review = latest ? lookUp(state.moderatorReviews, latest.revision_id) : undefined;
  return review?.overruled ? undefined : review;
}

/**
 * Domain 7.4. The moderator's review that requests changes to the latest revision and blocks the approval. Undefined
 * outside CONTRACT, and if the owner overrides the review, stops the moderator or no longer allows moderators.
 */
export function standingObjection(state: SessionState): ModeratorReview | undefined {
  const review = currentModeratorReview(state);
  const isOpposed = review?.verdict === 'REQUEST_CHANGES' && review.override_reason === null;
  const stands = isOpposed && state.profile.phase === 'CONTRACT';
  return stands && isModeratorAdmitted(state.access) ? review : undefined;
}

/** A score and a note on an aspect of the contract, such as completeness or testability. */
export const Dimension = z.strictObject({
  name: text(100),
  score: z.int().min(1).max(5).describe('1 is bad, 5 is good.'),
  note: text(1_000).optional(),
});

export const ModeratorReviewResult = namedObject('ModeratorReviewResult', { review: ModeratorReviewView });

const pickReview = pickOf(ModeratorReviewView);

export const viewModeratorReview =
  ({ contract: { latest } }: SessionState) =>
  (review: ModeratorReview) =>
    pickReview({ ...review, outdated: review.revision_id !== latest?.revision_id || review.overruled });

/**
 * The builder's review of the latest revision. Undefined if there is none, or if the owner requested changes after this
 * review.
 */
export function currentReview({ reviews, contract: { latest } }: SessionState, builder: Builder): Review | undefined {
  const review = reviews[builder];
  return review && isOfLatest(review, latest?.revision_id) ? review : undefined;
}

const isOfLatest = ({ revision_id, overruled }: Review, latestId: string | undefined): boolean =>
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
    : 'get_final_plan (format markdown, the shortest that shows all of it)';

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

/** A review without its caveats, which the caller has sent or read before. */
export const GivenReviewView = ReviewView.omit({ caveats: true }).register(documented, { id: 'GivenReview' });

export const viewGivenReviews = ({ reviews, contract: { latest } }: SessionState): z.output<typeof GivenReviewView>[] =>
  BUILDERS.flatMap((builder) => {
    const review = reviews[builder];
    return review ? [viewGivenReview(review, latest?.revision_id)] : [];
  });

/** Adds the latest review of each builder to an answer. The caveats of each review are a list of their own. */
export function listReviews(
  lists: BoundedLists,
  { reviews, contract: { latest } }: SessionState,
): () => z.output<typeof ReviewView>[] {
  const views = BUILDERS.flatMap((builder) => {
    const review = reviews[builder];
    if (!review) return [];
    const caveats = lists.list({
      records: review.caveats,
      view: (caveat) => caveat,
      how: () => 'Read the transcript: it contains all caveats.',
    });
    return [() => ({ ...viewGivenReview(review, latest?.revision_id), caveats: caveats() })];
  });
  return () => views.map((view) => view());
}

const pickGiven = pickOf(GivenReviewView);

const viewGivenReview = (review: Review, latestId: string | undefined) =>
  pickGiven({ ...review, outdated: !isOfLatest(review, latestId) });
