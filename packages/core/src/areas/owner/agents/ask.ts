import { z } from 'zod';
import { lastIntervention, openedDraft } from '../../interventions/opening.ts';
import {
  InterventionResult,
  InterventionText,
  Priority,
  Targets,
  viewIntervention,
} from '../../interventions/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';

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
  output: InterventionResult,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  decide(state, { targets, text, blocking = false, priority }, _caller, { limits }) {
    requireOpen(state, 'ask');
    const question = { type: 'QUESTION' as const, targets, text, isBlocking: blocking, priority };
    return [openedDraft(state.interventions, 'owner', question, limits)];
  },

  reply: ({ interventions }) => ({ intervention: viewIntervention(lastIntervention(interventions), 'owner') }),
});
