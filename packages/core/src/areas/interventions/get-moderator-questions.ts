import { z } from 'zod';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { InterventionId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { ownIntervention } from './rules.ts';
import { InterventionView, viewIntervention, viewWholeIntervention } from './schemas.ts';

/** Spec 4.3. Where not all fit, those go first that wait for an answer. */
export const getModeratorQuestions = defineOperation({
  name: 'get_moderator_questions',
  summary:
    'List your questions to the builders with the answers, oldest first; with intervention_id one, its evidence whole.',
  rest: 'GET moderator/questions/list',
  access: { moderator: true },
  input: z.strictObject({ intervention_id: InterventionId.optional(), ...PAGE_INPUT }),
  output: z.strictObject({ questions: z.array(InterventionView), ...LEFT_OUT }),
  errors: ['UNKNOWN_RECORD'],

  reply({ interventions }, { intervention_id, after }) {
    if (intervention_id !== undefined) {
      const question = ownIntervention(interventions, intervention_id, 'moderator');
      return { questions: [viewWholeIntervention(question, 'moderator')] };
    }
    const standing = new Set(interventions.standing);
    const { shown, leftOut } = listed({
      records: valuesOf(interventions.all).filter(({ from }) => from === 'moderator'),
      view: (question) => viewIntervention(question, 'moderator'),
      isCurrent: ({ interventionId }) => standing.has(interventionId),
      idOf: ({ interventionId }) => interventionId,
      tool: 'get_moderator_questions',
      after,
    });
    return { questions: shown, ...leftOut };
  },
});
