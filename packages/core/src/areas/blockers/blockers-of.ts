import { memoizeBy } from '../../kernel/memoize.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { contractBlockers } from './contract-blockers.ts';
import { planningBlockers } from './planning-blockers.ts';
import { reviewBlockers } from './review-blockers.ts';

/** Everything that blocks certification, in the order in which the agents must remove it. Computed from the state only. */
export const blockersOf = memoizeBy((state: SessionState): readonly Blocker[] =>
  [...planningBlockers(state), ...contractBlockers(state), ...reviewBlockers(state)].map(withRoute),
);

const withRoute = ({ resolution: { text, tool, payload }, ...blocker }: Blocker): Blocker => ({
  ...blocker,
  resolution: { text, tool, ...routeOf(tool, blocker.responsible), payload },
});

/** Whether a revision exists and has no blockers. */
export const isCertified = (state: SessionState): boolean =>
  state.contract.latest !== null && blockersOf(state).length === 0;
