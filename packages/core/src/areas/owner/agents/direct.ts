import { z } from 'zod';
import { openedDraft } from '../../interventions/opening.ts';
import { Priority } from '../../interventions/record.ts';
import { InterventionText, Targets } from '../../interventions/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';
import { AskedResult, viewAsked } from './asked.ts';

/** Domain 3. A directive blocks certification until each target has acknowledged or answered it. */
export const direct = defineOperation({
  name: 'direct',
  summary: 'Give one or both agents a directive; the directive binds the agents until you withdraw it.',
  access: { owner: true },
  input: z.strictObject({ targets: Targets, text: InterventionText, priority: Priority.optional() }),
  output: AskedResult,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  decide(state, { targets, text, priority }) {
    requireOpen(state, 'direct');
    return [openedDraft(state.interventions, { type: 'DIRECTIVE', targets, text, blocking: true, priority })];
  },

  reply: (state) => viewAsked(state),
});
