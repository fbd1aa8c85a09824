import { memoizeBy } from '../../kernel/memoize.ts';
import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { contractBlockers } from './contract-blockers.ts';
import { planningBlockers } from './planning-blockers.ts';
import { reviewBlockers } from './review-blockers.ts';

/** Everything that blocks certification in this state, computed from it alone; what must be done first comes first. */
export const blockersOf = memoizeBy((state: SessionState): readonly Blocker[] => [
  ...planningBlockers(state),
  ...contractBlockers(state),
  ...reviewBlockers(state),
]);

/** The latest revision is certified: nothing blocks. */
export const isCertified = (state: SessionState): boolean =>
  state.contract.latest !== null && blockersOf(state).length === 0;
