import { z } from 'zod';
import { listed } from '../../../kernel/text/listed.ts';
import { openedDraft } from '../../interventions/opening.ts';
import { Priority } from '../../interventions/record.ts';
import { InterventionText, Targets } from '../../interventions/schemas.ts';
import { defineOperation } from '../../operation.ts';
import { requireOpen } from '../rules.ts';
import { AskedResult, absentText, viewAsked } from './asked.ts';

/** Domain 3. A directive blocks certification until each target has acknowledged or answered it. */
export const direct = defineOperation({
  name: 'direct',
  summary: 'Give one or both agents a directive; the directive binds the agents until you withdraw it.',
  access: { owner: true },
  input: z.strictObject({ targets: Targets, text: InterventionText, priority: Priority.optional() }),
  output: AskedResult,
  errors: ['INVALID_TRANSITION', 'LIMIT_EXCEEDED'],

  said({ answer: { intervention, absent }, nameOf }) {
    const { intervention_id, targets } = intervention;
    return `Directive ${intervention_id} is given to ${listed(targets.map(nameOf))}. The directive is binding until you withdraw it.${absentText(absent, nameOf)}`;
  },

  decide(state, { targets, text, priority }) {
    requireOpen(state, 'direct');
    return [openedDraft(state.interventions, { type: 'DIRECTIVE', targets, text, blocking: true, priority })];
  },

  reply: (state) => viewAsked(state),
});
