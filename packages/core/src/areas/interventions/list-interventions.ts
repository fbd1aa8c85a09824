import { z } from 'zod';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { openInterventionsTo } from './rules.ts';
import { InterventionView, viewIntervention } from './schemas.ts';

/** Spec 4.2. What the caller has answered in full is no longer open. */
export const listInterventions = defineOperation({
  name: 'list_interventions',
  summary: 'List the open questions and directives of the owner and the moderator to you.',
  rest: 'GET interventions',
  access: { builder: 'read_session_state' },
  input: NoInput,
  output: z.strictObject({ interventions: z.array(InterventionView) }),
  errors: [],

  reply: ({ interventions }, _input, { caller }) => ({
    interventions: openInterventionsTo(interventions, caller.role).map((open) => viewIntervention(open, caller.role)),
  }),
});
