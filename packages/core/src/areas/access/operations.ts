import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { fail } from '../../kernel/errors.ts';
import { TOKEN_LIFETIME_MS } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import type { ServiceInfo } from '../../kernel/operation/operation.ts';
import { PERMISSIONS, SCOPES } from '../../kernel/roles.ts';
import { sha256Hex } from '../../kernel/text/hash.ts';
import { AgentRole, At, NoInput, text } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { redeemable } from './rules.ts';

/** Spec 4.1. Answers as long as the process runs, and does not check the storage. */
export const health = defineOperation({
  name: 'health',
  summary: 'Return name, version and time of the service.',
  rest: 'GET /health',
  access: { anyone: true },
  input: NoInput,
  output: z.strictObject({ ok: z.literal(true), service: z.string(), version: z.string(), time: At }),

  reply: (_state, _input, { service, now }) => ({
    ok: true as const,
    service: service.name,
    version: service.version,
    time: now,
  }),
});

/**
 * Spec 4.1, 5.4. A single append marks the invitation code as used, issues the token and revokes the earlier token of the
 * role.
 */
export const redeemInvitation = defineOperation({
  name: 'redeem_invitation',
  summary: 'Exchange a one-time invitation code for a session token that lasts 24 hours.',
  rest: 'POST /invitations/redeem',
  access: { anyone: true },
  input: z.strictObject({
    code: z.string().trim().max(200).describe('The one-time code from the owner, starting with pinv_.'),
    client_type: text(100).optional().describe('Your program, shown to the owner: claude-code, codex, …'),
  }),
  output: z.strictObject({
    token: z.string(),
    token_prefix: z.string(),
    expires_at: At,
    session_id: z.string(),
    role: AgentRole,
    scopes: z.array(z.enum(SCOPES).register(documented, { id: 'Scope' })).optional(),
    permissions: z.array(z.enum(PERMISSIONS)).optional(),
    base_url: z.string().optional(),
    mcp_url: z.string().optional(),
    next_call: z
      .strictObject({
        tool: z.string(),
        route: z.string(),
        mcp: z.string().optional().describe('Address of the MCP server; call tools by POST.'),
        header: z.string(),
      })
      .optional()
      .describe('The first call to make with the token. A path is relative to the address that answered this call.'),
  }),
  errors: ['INVITATION_INVALID'],

  secretIn: ({ code }) => code,

  decide(state, { code, client_type }, _caller, { clockMs, mint }) {
    const code_hash = sha256Hex(code);
    const { role, scopes, permissions } = redeemable(state, code_hash, clockMs);
    const token = mint('prt_');
    const grant = role === 'moderator' ? { permissions: [...permissions] } : { scopes: [...scopes] };
    const expires_at = isoTime(clockMs + TOKEN_LIFETIME_MS);
    const data = {
      role,
      code_hash,
      token_hash: token.hash,
      token_prefix: token.shown,
      expires_at,
      client_type,
      ...grant,
    };
    return [{ kind: 'invitation.redeemed', data }];
  },

  reply(state, _input, { mint, service }) {
    const { text: secret, hash, shown } = mint('prt_');
    const token =
      lookUp(state.access.tokens, hash) ??
      fail('INVITATION_INVALID', 'Another client has already used this invitation code.');
    const grant = token.role === 'moderator' ? { permissions: token.permissions } : { scopes: token.scopes };
    return {
      token: secret,
      token_prefix: shown,
      expires_at: token.expires_at,
      session_id: state.sessionId,
      role: token.role,
      ...grant,
      base_url: service.baseUrl,
      mcp_url: service.mcpUrl,
      next_call: firstCall(state.sessionId, service),
    };
  },
});

const firstCall = (sessionId: string, { entrance: { rest, mcp } }: ServiceInfo) => ({
  tool: 'read_task',
  route: `GET ${rest === undefined ? '' : `${rest}/`}sessions/${sessionId}/task`,
  mcp,
  header: 'Authorization: Bearer <token>',
});
