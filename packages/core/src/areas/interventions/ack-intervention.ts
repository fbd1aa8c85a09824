import { defineOperation } from '../operation.ts';
import { interventionTo, isNewAcknowledgement } from './rules.ts';
import { InterventionChangeResult, InterventionIdInput, viewInterventionChange } from './schemas.ts';

/** Spec 4.2. A directive blocks certification until each target has acknowledged or answered it. */
export const ackIntervention = defineOperation({
  name: 'ack_intervention',
  summary: 'Acknowledge a question or directive.',
  rest: 'POST interventions/ack',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: InterventionIdInput,
  output: InterventionChangeResult,
  errors: ['UNKNOWN_RECORD', 'INTERVENTION_CLOSED'],

  decide({ interventions }, { intervention_id }, { role }) {
    const addressed = interventionTo(interventions, intervention_id, role);
    return isNewAcknowledgement(addressed) ? [{ kind: 'intervention.acknowledged', data: { intervention_id } }] : [];
  },

  reply: ({ interventions }, { intervention_id }, { caller: { role } }) => ({
    intervention: viewInterventionChange(interventionTo(interventions, intervention_id, role).intervention, role),
  }),
});
