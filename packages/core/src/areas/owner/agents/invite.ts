import { z } from 'zod';
import { isoTime } from '../../../kernel/clock.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import { PERMISSIONS, SCOPES } from '../../../kernel/scopes.ts';
import { AgentRole, At } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { requireEntitled, requireOpen } from '../rules.ts';
import { distinct, Permissions } from '../schemas.ts';

/**
 * Domain 4. Creates an invitation code for a role, and cancels the role's earlier code if it is unused. The current
 * token of the role works until somebody redeems the new code.
 */
export const invite = defineOperation({
  name: 'invite',
  summary:
    'Create a one-time invitation code for an agent; the code is shown once. To invite a moderator, you must first admit moderators.',
  access: { owner: true },
  input: z
    .strictObject({
      role: AgentRole,
      scopes: z
        .array(z.enum(SCOPES))
        .refine(distinct, 'Names a scope twice.')
        .register(documented, { uniqueItems: true })
        .optional()
        .describe('Scopes of a builder; by default all 15.'),
      permissions: Permissions.optional().describe('Permissions of the moderator; by default all.'),
    })
    .superRefine(({ role, scopes, permissions }, issues) => {
      if (role === 'moderator' && scopes)
        issues.addIssue({ code: 'custom', path: ['scopes'], message: 'A moderator has permissions, not scopes.' });
      if (role !== 'moderator' && permissions)
        issues.addIssue({ code: 'custom', path: ['permissions'], message: 'A builder has scopes, not permissions.' });
    }),
  output: z.strictObject({
    code: z.string().describe('The code, which begins with pinv_; only its hash is stored.'),
    role: AgentRole,
    expires_at: At,
    scopes: z.array(z.enum(SCOPES)).optional(),
    permissions: z.array(z.enum(PERMISSIONS)).optional(),
    base_url: z.string().optional().describe('The public address of the REST routes, to pass on with the code.'),
    mcp_url: z.string().optional().describe('The public address of the MCP server.'),
  }),
  errors: ['INVALID_TRANSITION', 'MODERATOR_NOT_ENTITLED'],

  said: ({ input: { role }, nameOf }) => `An invitation code for ${nameOf(role)} is made.`,

  decide(state, { role, scopes = [...SCOPES], permissions = [...PERMISSIONS] }, _caller, { clockMs, limits, mint }) {
    requireOpen(state, 'invite');
    if (role === 'moderator') requireEntitled(state);
    const { hash, shown } = mint('pinv_');
    const grant = role === 'moderator' ? { permissions } : { scopes };
    const expires_at = isoTime(clockMs + limits.invitationLifetimeMs);
    return [{ kind: 'invitation.created', data: { role, code_hash: hash, code_prefix: shown, expires_at, ...grant } }];
  },

  reply({ access }, { role }, { mint, now, service }) {
    const { text: code, hash } = mint('pinv_');
    const invitation = lookUp(access.invitations, hash);
    const grant =
      role === 'moderator' ? { permissions: invitation?.permissions ?? [] } : { scopes: invitation?.scopes ?? [] };
    return {
      code,
      role,
      expires_at: invitation?.expires_at ?? now,
      ...grant,
      base_url: service.baseUrl,
      mcp_url: service.mcpUrl,
    };
  },
});
