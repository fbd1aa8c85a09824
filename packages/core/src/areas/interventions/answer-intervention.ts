import { z } from 'zod';
import { checkAnswerDraft } from '../actions/rules.ts';
import { InterventionId, LongText } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { interventionTo, isNewResponse } from './rules.ts';
import { InterventionChangeResult, viewInterventionChange } from './schemas.ts';

export const answerIntervention = defineOperation({
  name: 'answer_intervention',
  summary: 'Answer a question or directive; uses no turn.',
  rest: 'POST interventions/answer',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: z.strictObject({
    intervention_id: InterventionId,
    text: LongText.describe('The other agent reads it too.'),
  }),
  otherNames: { answer: 'text' },
  output: InterventionChangeResult,
  errors: ['UNKNOWN_RECORD', 'INTERVENTION_CLOSED', 'ALREADY_ANSWERED'],

  decide({ interventions, actions }, { intervention_id, text }, { role }) {
    const addressed = interventionTo(interventions, intervention_id, role);
    if (!isNewResponse(addressed, text)) return [];
    const answered = { kind: 'intervention.answered' as const, data: { intervention_id, text } };
    return addressed.intervention.from === 'moderator'
      ? [answered, checkAnswerDraft(actions, intervention_id, role)]
      : [answered];
  },

  reply: ({ interventions }, { intervention_id }, { caller: { role } }) => ({
    intervention: viewInterventionChange(interventionTo(interventions, intervention_id, role).intervention, role),
  }),
});
