import { z } from 'zod';
import { openedDraft } from '../../interventions/opening.ts';
import { Priority } from '../../interventions/record.ts';
import { InterventionText, Targets } from '../../interventions/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';
import { AskedResult, viewAsked } from './asked.ts';

/** Domain 3. The question blocks certification only if `blocking` is true. */
export const ask = defineOperation({
  name: 'ask',
  summary: 'Ask one or both agents a question.',
  access: { owner: true },
  input: z.strictObject({
    targets: Targets,
    text: InterventionText,
    blocking: z.boolean().optional().describe('Default: false.'),
    priority: Priority.optional(),
  }),
  output: AskedResult,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  decide(state, { targets, text, blocking = false, priority }) {
    requireOpen(state, 'ask');
    return [openedDraft(state.interventions, { type: 'QUESTION', targets, text, blocking, priority })];
  },

  reply: (state) => viewAsked(state),
});
