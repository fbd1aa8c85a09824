import { z } from 'zod';
import { InterventionText, InterventionView, Priority, Targets, viewIntervention } from '../interventions/schemas.ts';
import { defineOperation } from '../operation.ts';
import { lastIntervention, openedDraft } from './interventions.ts';

/** Domain 3. Blocks certification only when `blocking`. */
export const ask = defineOperation({
  name: 'ask',
  summary: 'Ask one or both agents a question.',
  access: { owner: true },
  input: z.strictObject({
    targets: Targets,
    text: InterventionText,
    blocking: z.boolean().optional().describe('Whether certification waits for the answers; false when left out.'),
    priority: Priority.optional(),
  }),
  output: z.strictObject({ intervention: InterventionView }),
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  decide(state, { targets, text, blocking = false, priority = 'NORMAL' }, _caller, { limits }) {
    return [openedDraft(state, { type: 'QUESTION', targets, text, isBlocking: blocking, priority }, limits)];
  },

  reply: ({ interventions }) => ({ intervention: viewIntervention(lastIntervention(interventions), 'owner') }),
});
