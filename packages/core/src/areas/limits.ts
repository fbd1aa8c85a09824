import type { Domain } from '../kernel/operation/operation.ts';
import { refuseManyInterventions } from './interventions/rules.ts';
import { checkQuota } from './quotas/rules.ts';
import { refuseManyRecommendations } from './recommendations/rules.ts';
import type { SessionState } from './state.ts';

/** Refuses a write that would go beyond a limit, unless it repeats an open record: for such a record no limit matters. */
export const checkLimits: Domain<SessionState>['checkLimits'] = (state, role, drafts, limits) => {
  for (const { kind } of drafts) {
    if (kind === 'intervention.opened') refuseManyInterventions(state.interventions, role, limits);
    if (kind === 'recommendation.made') refuseManyRecommendations(state.recommendations, limits);
  }
  checkQuota(state, role, drafts);
};
