import { z } from 'zod';
import { defineOperation } from '../operation.ts';

/**
 * The part of `setModeratorEntitlement` in one session. Works after the end of the session too, because a new session
 * copies the entitlement of the owner's newest session.
 */
export const setEntitlement = defineOperation({
  name: 'setEntitlement',
  summary: 'Set whether the owner of a session admits moderators.',
  access: { owner: true },
  input: z.strictObject({ entitled: z.boolean() }),
  output: z.strictObject({ entitled: z.boolean() }),
  errors: [],

  decide: ({ access }, { entitled }) =>
    access.isModeratorEntitled === entitled ? [] : [{ kind: 'entitlement.changed', data: { entitled } }],

  reply: ({ access }) => ({ entitled: access.isModeratorEntitled }),
});
