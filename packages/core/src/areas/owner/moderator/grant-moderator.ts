import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import type { Permission } from '../../../kernel/scopes.ts';
import { ModeratorResult, viewModerator } from '../../access/schemas.ts';
import { defineOperation } from '../../operation.ts';
import type { SessionState } from '../../state.ts';
import { requireOpen } from '../rules.ts';
import { Permissions } from '../schemas.ts';

/**
 * Domain 10. Sets the permissions of the moderator's current token and of its open invitation. An invitation that is
 * created later has its own permissions.
 */
export const grantModerator = defineOperation({
  name: 'grantModerator',
  summary:
    "Set what the moderator may do: ask, find, hold, review, recommend. This applies from the moderator's next request.",
  access: { owner: true },
  input: z.strictObject({
    permissions: Permissions.describe(
      'All permissions that the moderator has from now on; with an empty list it can only read.',
    ),
  }),
  output: ModeratorResult,
  errors: ['INVALID_TRANSITION'],

  said: ({ input: { permissions } }) =>
    `From its next request on, the moderator may: ${permissions.join(', ') || 'only read'}.`,

  decide(state, { permissions }) {
    requireOpen(state, 'grantModerator');
    const grants = grantsOf(state);
    if (grants.length === 0)
      fail('INVALID_TRANSITION', 'There is no moderator with a token or an open invitation.', {
        hint: 'Invite a moderator: the invitation names the permissions.',
      });
    return grants.every((granted) => isSame(granted, permissions))
      ? []
      : [{ kind: 'moderator.granted', data: { permissions } }];
  },

  reply: (state) => ({ moderator: viewModerator(state) }),
});

function grantsOf({ access }: SessionState): (readonly Permission[])[] {
  const token = lookUp(access.tokens, access.currentToken.moderator ?? '');
  const invitation = lookUp(access.invitations, access.openCode.moderator ?? '');
  return [
    ...(token && token.revoked_at === null ? [token.permissions] : []),
    ...(invitation ? [invitation.permissions] : []),
  ];
}

const isSame = (one: readonly Permission[], other: readonly Permission[]): boolean =>
  one.length === other.length && one.every((permission) => other.includes(permission));
