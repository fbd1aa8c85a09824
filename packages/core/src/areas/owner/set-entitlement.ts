import { z } from 'zod';
import { defineOperation } from '../operation.ts';

/** One session's part of `setModeratorEntitlement`; works after the end too, since a new session copies the newest. */
export const setEntitlement = defineOperation({
  name: 'setEntitlement',
  summary: 'Set whether the owner of a session has moderators.',
  access: { owner: true },
  input: z.strictObject({ entitled: z.boolean() }),
  output: z.strictObject({ entitled: z.boolean() }),
  errors: [],

  decide: ({ access }, { entitled }) =>
    access.isModeratorEntitled === entitled ? [] : [{ kind: 'entitlement.changed', data: { entitled } }],

  reply: ({ access }) => ({ entitled: access.isModeratorEntitled }),
});
