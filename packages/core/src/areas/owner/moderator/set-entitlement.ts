import { z } from 'zod';
import { defineOperation } from '../../operation.ts';

/**
 * Stores in one session whether the owner allows moderators. `setModeratorEntitlement` calls this operation for each
 * session of the owner, also for ended sessions, because a new session copies the value of the newest session.
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
