import { z } from 'zod';
import { defineEvents, ownersOnly } from '../../kernel/log/event-catalog.ts';
import { PERMISSIONS, SCOPES } from '../../kernel/roles.ts';
import { AgentRole } from '../fields.ts';

const Grant = {
  scopes: z.array(z.enum(SCOPES)).optional(),
  permissions: z.array(z.enum(PERMISSIONS)).optional(),
};

/** An open invitation that was cancelled. */
export const CancelledInvitation = z.strictObject({
  code_prefix: z.string(),
  invited_by: z.string().optional().describe('Id of the person who made it.'),
});

export const accessEvents = defineEvents({
  'invitation.created': ownersOnly({
    role: AgentRole,
    code_hash: z.string(),
    code_prefix: z.string(),
    expires_at: z.string(),
    ...Grant,
  }),
  'invitation.redeemed': ownersOnly({
    role: AgentRole,
    code_hash: z.string(),
    token_hash: z.string(),
    token_prefix: z.string(),
    expires_at: z.string(),
    client_type: z.string().optional(),
    ...Grant,
  }),
  'access.revoked': ownersOnly({
    role: AgentRole,
    /** What was revoked, if not both the token and the open invitation of the role. */
    only: z.enum(['token', 'invitation']).optional(),
    cancelled: CancelledInvitation.optional(),
  }),
  'moderator.stopped': ownersOnly({ reason: z.string().optional() }),
  'moderator.restored': ownersOnly({}),
  'moderator.granted': ownersOnly({ permissions: z.array(z.enum(PERMISSIONS)) }),
  'entitlement.changed': ownersOnly({ entitled: z.boolean() }),
});
