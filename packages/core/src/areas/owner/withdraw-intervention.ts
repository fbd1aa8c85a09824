import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { InterventionId } from '../fields.ts';
import { refuseClosed } from '../interventions/rules.ts';
import { InterventionView, viewIntervention } from '../interventions/schemas.ts';
import { defineOperation } from '../operation.ts';
import { interventionOf } from './interventions.ts';
import { requireOpen } from './rules.ts';

/** Domain 3. The owner withdraws its own; the moderator's are the moderator's. */
export const withdrawIntervention = defineOperation({
  name: 'withdrawIntervention',
  summary: 'Withdraw a question or directive of yours.',
  access: { owner: true },
  input: z.strictObject({ intervention_id: InterventionId }),
  output: z.strictObject({ intervention: InterventionView }),
  errors: ['UNKNOWN_RECORD', 'INVALID_TRANSITION', 'INTERVENTION_CLOSED'],

  decide(state, { intervention_id }) {
    requireOpen(state, 'withdrawIntervention');
    const intervention = interventionOf(state.interventions, intervention_id);
    const { from } = intervention;
    if (from !== 'owner')
      fail('UNKNOWN_RECORD', `Intervention ${intervention_id} is not yours.`, {
        record: { type: 'intervention', id: intervention_id },
      });
    refuseClosed(intervention);
    return [{ kind: 'intervention.withdrawn', data: { intervention_id, outcome: 'WITHDRAWN' } }];
  },

  reply: ({ interventions }, { intervention_id }) => ({
    intervention: viewIntervention(interventionOf(interventions, intervention_id), 'owner'),
  }),
});
