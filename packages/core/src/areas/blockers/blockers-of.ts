import { memoizeBy } from '../../kernel/memoize.ts';
import { otherBuilder } from '../../kernel/roles.ts';
import { currentReview, reviewersDue } from '../reviews/rules.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { contractBlockers } from './contract-blockers.ts';
import { planningBlockers } from './planning-blockers.ts';
import { reviewBlockers } from './review-blockers.ts';

/** The blockers of certification, in the order in which they must be removed. */
export const blockersOf = memoizeBy((state: SessionState): readonly Blocker[] =>
  inTurn(state, [...planningBlockers(state), ...contractBlockers(state), ...reviewBlockers(state)]).map(withRoute),
);

/**
 * Adds `waits_for` to each missing review that is not due yet. If the Technical Reviewer has not reviewed yet, the
 * author's review waits for that reviewer. Otherwise a review waits for the role responsible for the first blocker that
 * is due.
 */
function inTurn(state: SessionState, blockers: readonly Blocker[]): Blocker[] {
  const due = reviewersDue(state);
  const isDue = ({ code, responsible }: Blocker): boolean =>
    code !== 'REVIEW_MISSING' || due.some((role) => role === responsible);
  const first = blockers.find(isDue)?.responsible ?? 'moderator';
  const { contract_author: author } = state.election;
  return blockers.map((blocker) => {
    if (isDue(blocker)) return blocker;
    const reviewer = author && otherBuilder(author);
    const waits_for = blocker.responsible === author && reviewer && !currentReview(state, reviewer) ? reviewer : first;
    return { ...blocker, waits_for };
  });
}

const withRoute = ({ resolution: { text, tool, payload }, ...blocker }: Blocker): Blocker => ({
  ...blocker,
  resolution: { text, tool, ...routeOf(tool, blocker.responsible), payload },
});

export const isCertified = (state: SessionState): boolean =>
  state.contract.latest !== null && blockersOf(state).length === 0;
