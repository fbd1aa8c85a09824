import { ownIntervention, refuseClosed } from '../../interventions/rules.ts';
import { InterventionIdInput, InterventionResult, viewIntervention } from '../../interventions/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';

/**
 * Domain 3. Withdraws a question or directive of the owner. Only the moderator can withdraw a question of the
 * moderator.
 */
export const withdrawIntervention = defineOperation({
  name: 'withdrawIntervention',
  summary: 'Withdraw a question or directive of yours.',
  access: { owner: true },
  input: InterventionIdInput,
  output: InterventionResult,
  errors: ['UNKNOWN_RECORD', 'INVALID_TRANSITION', 'INTERVENTION_CLOSED'],

  said: ({ input: { intervention_id } }) =>
    `${intervention_id} is withdrawn. No agent has to answer it or follow it any more.`,

  decide(state, { intervention_id }) {
    requireOpen(state, 'withdrawIntervention');
    refuseClosed(ownIntervention(state.interventions, intervention_id, 'owner'));
    return [{ kind: 'intervention.withdrawn', data: { intervention_id, outcome: 'WITHDRAWN' } }];
  },

  reply: ({ interventions }, { intervention_id }) => ({
    intervention: viewIntervention(ownIntervention(interventions, intervention_id, 'owner'), 'owner'),
  }),
});
