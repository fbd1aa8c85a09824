import { ModeratorResult, viewModerator } from '../../access/schemas.ts';
import { NoInput } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

/** Domain 3. The moderator's token works again, unless it was revoked or has expired. */
export const restoreModerator = defineOperation({
  name: 'restoreModerator',
  summary: 'Let a stopped moderator work again.',
  access: { owner: true },
  input: NoInput,
  output: ModeratorResult,
  errors: [],

  said: () => 'The moderator can read and write again.',

  decide: ({ access }) => (access.isModeratorStopped ? [{ kind: 'moderator.restored', data: {} }] : []),

  reply: (state) => ({ moderator: viewModerator(state) }),
});
