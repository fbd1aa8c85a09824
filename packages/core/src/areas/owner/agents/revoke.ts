import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { AgentRole } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

/** Spec 5.10. Revokes the token of a role at once, and cancels its open invitation. */
export const revoke = defineOperation({
  name: 'revoke',
  summary: 'Revoke the access of an agent: its token and its open invitation.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ role: AgentRole }),
  output: z.strictObject({ role: AgentRole, revoked: z.literal(true) }),
  errors: [],

  decide({ access }, { role }) {
    const token = lookUp(access.tokens, access.currentToken[role] ?? '');
    const hasAccess = (token && token.revokedAt === null) || access.openCode[role] !== undefined;
    return hasAccess ? [{ kind: 'access.revoked', data: { role } }] : [];
  },

  reply: (_state, { role }) => ({ role, revoked: true as const }),
});
