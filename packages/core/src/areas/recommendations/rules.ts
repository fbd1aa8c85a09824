import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { hasModerator, moderatorPermissions } from '../access/rules.ts';
import type { Action } from '../actions/state.ts';
import type { DecidedStep } from '../approvals/state.ts';
import { type SessionDraft, storedData } from '../catalog.ts';
import { pickOf, recordIn } from '../listing.ts';
import { isStopped } from '../quotas/rules.ts';
import { currentModeratorReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { recommendationEvents } from './events.ts';
import { type Recommendation, type Recommendations, RecommendationView } from './state.ts';

/** The action that asks the moderator for its advice. Undefined if there is no such action. */
function adviceAction({ actions, manifest: { current } }: SessionState): Action | undefined {
  const id = current && lookUp(actions.inForce, adviceKey(current.manifest_id));
  return id ? lookUp(actions.all, id) : undefined;
}

/**
 * The event that closes the request for the moderator's advice. It is stored together with the recommendation that
 * gives the advice. Empty if no advice is requested.
 */
export function adviceDrafts(state: SessionState): SessionDraft[] {
  const action = adviceAction(state);
  if (!action || action.settled_at !== null) return [];
  const { action_id, due_to, type } = action;
  return [{ kind: 'action.settled', data: { action_id, due_to, type } }];
}

/**
 * Time since which the owner can expect the moderator's review or advice on a step, ISO 8601. Null if the moderator has
 * given its review or advice, or cannot act. For the deployment and the activation, the time of the action
 * ADVISE_DEPLOYMENT.
 */
export function awaitedSince(state: SessionState, step: DecidedStep): string | null {
  if (!hasModerator(state)) return null;
  if (step !== 'approval' && step !== 'build') {
    const action = adviceAction(state);
    return action?.settled_at === null && !isStopped(state, 'moderator') ? action.opened_at : null;
  }
  const begun =
    step === 'approval'
      ? state.contract.latest?.created_at
      : Object.values(state.readiness.reports)
          .map(({ submitted_at }) => submitted_at)
          .toSorted()
          .at(-1);
  if (begun === undefined || (step === 'approval' && currentModeratorReview(state))) return null;
  return adviceSince(state, begun).length > 0 ? null : begun;
}

const adviceSince = ({ recommendations }: SessionState, since: string): readonly Recommendation[] =>
  valuesOf(recommendations.all).filter(({ made_at }) => made_at >= since);

/**
 * A sentence for the owner that begins with a space. It names the moderator's recommendations on the deployment, or
 * says that the advice is missing. Empty if there is no recommendation and none is expected.
 */
export function adviceNote(state: SessionState): string {
  const action = adviceAction(state);
  if (awaitedSince(state, 'deployment') !== null)
    return ' The moderator has not given its advice yet; you can authorize without it.';
  const ids = action ? adviceSince(state, action.opened_at).map(({ recommendation_id }) => recommendation_id) : [];
  return ids.length > 0 ? ` The moderator gave its advice in ${ids.join(', ')}.` : '';
}

/**
 * A sentence for the owner, beginning with a space, about the moderator's review of the latest revision. Empty if there
 * is no review and the moderator cannot write a review.
 */
export function reviewNote(state: SessionState): string {
  const review = currentModeratorReview(state);
  if (review) return ` The moderator reviewed the revision: ${review.verdict}.`;
  const canReview = hasModerator(state) && moderatorPermissions(state).includes('review');
  return canReview ? ' The moderator has not reviewed the revision yet.' : '';
}

export const adviceKey = (manifestId: string): string => `ADVISE_DEPLOYMENT moderator ${manifestId}`;

/** Refuses another recommendation if too many are unanswered. */
export function refuseManyRecommendations({ open }: Recommendations, { openRecommendations: limit }: Limits): void {
  if (open.length >= limit)
    fail('LIMIT_EXCEEDED', `The owner has not answered ${limit} of your recommendations yet, which is the limit.`, {
      limit,
      hint: 'Send the call again once the owner has answered a recommendation.',
    });
}

export const RecommendationResult = namedObject('RecommendationResult', { recommendation: RecommendationView });

export const recommendationOf = ({ all }: Recommendations, id: string): Recommendation =>
  recordIn(all, 'recommendation', id);

export const viewRecommendation = pickOf(RecommendationView);

/**
 * Number of the stored event that contains the text of a rejected recommendation. Empty for any other recommendation,
 * whose text is in the state.
 */
export const recommendationSeqs = ({ text, seq }: Recommendation): readonly number[] => (text === null ? [seq] : []);

/**
 * A recommendation with its text, even if the owner has rejected it.
 * @param loaded the events of {@link recommendationSeqs}
 */
export const viewWholeRecommendation = (recommendation: Recommendation, loaded: readonly LoggedEvent[]) =>
  viewRecommendation({
    ...recommendation,
    text:
      recommendation.text ?? storedData(loaded, recommendation.seq, recommendationEvents['recommendation.made']).text,
  });
