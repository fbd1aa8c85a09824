import { z } from 'zod';
import { listed } from '../../../kernel/text/listed.ts';
import { openedDraft } from '../../interventions/opening.ts';
import { Priority } from '../../interventions/record.ts';
import { InterventionText, Targets } from '../../interventions/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';
import { AskedResult, absentText, viewAsked } from './asked.ts';

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

  said({ answer: { intervention, absent }, nameOf }) {
    const { intervention_id, blocking, targets } = intervention;
    const effect = blocking ? ' The contract cannot be certified before the question is answered.' : '';
    return `Question ${intervention_id} is asked ${listed(targets.map(nameOf))}.${effect}${absentText(absent, nameOf)}`;
  },

  decide(state, { targets, text, blocking = false, priority }) {
    requireOpen(state, 'ask');
    return [openedDraft(state.interventions, { type: 'QUESTION', targets, text, blocking, priority })];
  },

  reply: (state) => viewAsked(state),
});
