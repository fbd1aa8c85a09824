import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { CancelledInvitation } from '../../access/events.ts';
import type { EventOf } from '../../catalog.ts';
import { AgentRole } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';

type Revoked = EventOf<'access.revoked'>;

/** Spec 5.10. Revokes the token of a role at once, and cancels its open invitation. */
export const revoke = defineOperation({
  name: 'revoke',
  summary: 'Revoke the access of an agent: its token and its open invitation.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ role: AgentRole }),
  output: z.strictObject({
    role: AgentRole,
    revoked: z.literal(true),
    cancelled: CancelledInvitation.optional().describe('The invitation that this cancelled.'),
  }),
  errors: [],

  said({ answer: { cancelled }, input: { role }, nameOf }) {
    const made = cancelled?.invited_by ? ` The person ${cancelled.invited_by} made this invitation.` : '';
    return `The token and the open invitation of ${nameOf(role)} are revoked.${made}`;
  },

  decide({ access }, { role }) {
    const token = lookUp(access.tokens, access.currentToken[role] ?? '');
    const invitation = lookUp(access.invitations, access.openCode[role] ?? '');
    const hasAccess = (token && token.revoked_at === null) || invitation !== undefined;
    const cancelled = invitation && { code_prefix: invitation.code_prefix, invited_by: invitation.invited_by };
    return hasAccess ? [{ kind: 'access.revoked', data: { role, cancelled } }] : [];
  },

  reply: (_state, { role }, { events }) => ({
    role,
    revoked: true as const,
    cancelled: events.find((event): event is Revoked => event.kind === 'access.revoked')?.data.cancelled,
  }),
});
