import { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { InterventionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { InterventionView } from './record.ts';
import { ownIntervention } from './rules.ts';
import { interventionSeqs, viewIntervention, viewWholeIntervention } from './schemas.ts';

/** Spec 4.3. If the answer cannot contain all questions, the unanswered questions come first. */
export const getModeratorQuestions = defineOperation({
  name: 'get_moderator_questions',
  summary: 'List your questions and the answers, or one question in full by intervention_id.',
  rest: 'GET moderator/questions/list',
  access: { moderator: true },
  input: z.strictObject({ intervention_id: InterventionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ questions: z.array(InterventionView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reads({ interventions }, { intervention_id = '' }) {
    const intervention = lookUp(interventions.all, intervention_id);
    return intervention ? interventionSeqs(intervention) : [];
  },

  reply({ interventions }, { intervention_id, after }, { loaded }) {
    if (intervention_id !== undefined) {
      const question = ownIntervention(interventions, intervention_id, 'moderator');
      return { questions: [viewWholeIntervention(question, 'moderator', loaded)] };
    }
    const standing = new Set(interventions.standing);
    const { shown, leftOut } = listed({
      records: valuesOf(interventions.all).filter(({ from }) => from === 'moderator'),
      view: (question) => viewIntervention(question, 'moderator'),
      isCurrent: ({ intervention_id }) => standing.has(intervention_id),
      idOf: ({ intervention_id }) => intervention_id,
      tool: 'get_moderator_questions',
      after,
    });
    return { questions: shown, ...leftOut };
  },
});
