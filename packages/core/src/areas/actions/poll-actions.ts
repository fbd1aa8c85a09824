import { z } from 'zod';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { openActionsOf } from './rules.ts';
import { ActionView, viewAction } from './schemas.ts';

/** Spec 4.2. Completed ones are not listed. */
export const pollActions = defineOperation({
  name: 'poll_actions',
  summary: 'List what is due from you: obligations of the session and tasks of the owner.',
  rest: 'GET actions',
  access: { builder: 'read_session_state' },
  input: NoInput,
  output: z.strictObject({ actions: z.array(ActionView) }),
  errors: [],

  reply: ({ actions }, _input, { caller }) => ({ actions: openActionsOf(actions, caller.role).map(viewAction) }),
});
