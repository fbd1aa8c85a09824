import type { SessionState } from '../state.ts';
import type { Blocker } from './blocker.ts';
import { contractBlockers } from './contract-blockers.ts';
import { planningBlockers } from './planning-blockers.ts';
import { reviewBlockers } from './review-blockers.ts';

const known = new WeakMap<SessionState, readonly Blocker[]>();

/** Everything that blocks certification in this state, computed from it alone; what must be done first comes first. */
export function blockersOf(state: SessionState): readonly Blocker[] {
  const blockers = known.get(state) ?? [
    ...planningBlockers(state),
    ...contractBlockers(state),
    ...reviewBlockers(state),
  ];
  known.set(state, blockers);
  return blockers;
}

/** The latest revision is certified: nothing blocks. */
export const isCertified = (state: SessionState): boolean =>
  state.contract.latest !== null && blockersOf(state).length === 0;
