import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { PERMISSIONS, SCOPES } from '../../kernel/scopes.ts';
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
  'invitation.created': {
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      role: AgentRole,
      code_hash: z.string(),
      code_prefix: z.string(),
      expires_at: z.string(),
      ...Grant,
    }),
  },
  'invitation.redeemed': {
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      role: AgentRole,
      code_hash: z.string(),
      token_hash: z.string(),
      token_prefix: z.string(),
      expires_at: z.string(),
      client_type: z.string().optional(),
      ...Grant,
    }),
  },
  'access.revoked': {
    seenBy: 'owner',
    message: false,
    data: z.strictObject({
      role: AgentRole,
      /** What was revoked, if not both the token and the open invitation of the role. */
      only: z.enum(['token', 'invitation']).optional(),
      cancelled: CancelledInvitation.optional(),
    }),
  },
  'moderator.stopped': {
    seenBy: 'owner',
    message: false,
    data: z.strictObject({ reason: z.string().optional() }),
  },
  'moderator.restored': { seenBy: 'owner', message: false, data: z.strictObject({}) },
  'moderator.granted': {
    seenBy: 'owner',
    message: false,
    data: z.strictObject({ permissions: z.array(z.enum(PERMISSIONS)) }),
  },
  'entitlement.changed': { seenBy: 'owner', message: false, data: z.strictObject({ entitled: z.boolean() }) },
});
