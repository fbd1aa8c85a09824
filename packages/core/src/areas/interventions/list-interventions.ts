import { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { InterventionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { InterventionView } from './record.ts';
import { interventionTo, openInterventionsTo } from './rules.ts';
import { interventionSeqs, viewIntervention, viewWholeIntervention } from './schemas.ts';

/**
 * Spec 4.2. Lists the interventions that the caller has not answered. An answered intervention can be read by its id.
 */
export const listInterventions = defineOperation({
  name: 'list_interventions',
  summary: 'List questions and directives to you, or one in full by intervention_id.',
  rest: 'GET interventions',
  access: { builder: 'read_session_state' },
  input: z.strictObject({ intervention_id: InterventionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ interventions: z.array(InterventionView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reads({ interventions }, { intervention_id = '' }) {
    const intervention = lookUp(interventions.all, intervention_id);
    return intervention ? interventionSeqs(intervention) : [];
  },

  reply({ interventions }, { intervention_id, after }, { caller: { role }, loaded }) {
    if (intervention_id !== undefined) {
      const { intervention } = interventionTo(interventions, intervention_id, role);
      return { interventions: [viewWholeIntervention(intervention, role, loaded)] };
    }
    const { shown, leftOut } = listed({
      records: openInterventionsTo(interventions, role),
      view: (open) => viewIntervention(open, role),
      idOf: ({ intervention_id }) => intervention_id,
      tool: 'list_interventions',
      after,
    });
    return { interventions: shown, ...leftOut };
  },
});
