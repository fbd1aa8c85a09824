import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/**
 * Stores in one session whether the owner allows moderators; called for each session by `setModeratorEntitlement`. Also
 * works after the end of the session, because a new session copies the value from the owner's newest session.
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
