import { z } from 'zod';
import { valuesOf } from '../../kernel/history.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { InterventionView, viewIntervention } from './schemas.ts';

/** Spec 4.3. */
export const getModeratorQuestions = defineOperation({
  name: 'get_moderator_questions',
  summary: 'List your questions to the builders with the answers, oldest first.',
  rest: 'GET moderator/questions/list',
  access: { moderator: true },
  input: NoInput,
  output: z.strictObject({ questions: z.array(InterventionView) }),
  errors: [],

  reply: ({ interventions }) => ({
    questions: valuesOf(interventions.all)
      .filter(({ from }) => from === 'moderator')
      .map((question) => viewIntervention(question, 'moderator')),
  }),
});
