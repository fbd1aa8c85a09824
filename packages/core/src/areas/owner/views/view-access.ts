import { z } from 'zod';
import type { Presence } from '../../../kernel/last-calls.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import { AGENTS, type Agent, BUILDERS, type Role } from '../../../kernel/roles.ts';
import { PERMISSIONS, SCOPES } from '../../../kernel/scopes.ts';
import { AgentPresence, presenceOf, viewPresence } from '../../access/agent-presence.ts';
import { AgentRole, At } from '../../fields.ts';
import { agentSince } from '../../session/mover-since.ts';
import { AgentView } from '../../session/schemas.ts';
import { viewAgent } from '../../session/views.ts';
import type { SessionState } from '../../state.ts';

export const AccessView = z.strictObject({
  role: AgentRole,
  token: z
    .strictObject({
      token_prefix: z.string(),
      client_type: z.string().nullable(),
      issued_at: At,
      expires_at: At,
      revoked: z.boolean(),
      scopes: z.array(z.enum(SCOPES)),
      permissions: z.array(z.enum(PERMISSIONS)),
    })
    .nullable(),
  last_call_at: AgentPresence.shape.last_call_at,
  waiting: AgentPresence.shape.waiting,
  invitation: z.strictObject({ code_prefix: z.string(), expires_at: At }).nullable(),
});
documented.add(AccessView, { id: 'Access' });

export const PresentAgent = AgentView.extend(AgentPresence.omit({ role: true }).shape);
documented.add(PresentAgent, { id: 'PresentAgent' });

export const viewBuilders = (
  state: SessionState,
  presence: Presence,
  movers: readonly Role[],
): z.output<typeof PresentAgent>[] =>
  BUILDERS.map((role) => {
    const { role: _role, ...present } = presenceOf(state, role, presence);
    return { ...viewAgent(state.profile, role), ...present, ...dueSince(state, role, movers) };
  });

/** The presence of the agents, and since when each agent among the given roles has been able to act. */
export const viewDuePresence = (
  state: SessionState,
  presence: Presence,
  movers: readonly Role[],
): z.output<typeof AgentPresence>[] =>
  viewPresence(state, presence).map((agent) => ({ ...agent, ...dueSince(state, agent.role, movers) }));

function dueSince(state: SessionState, role: Agent, movers: readonly Role[]): { due_since?: string } {
  const since = movers.includes(role) ? agentSince(state, role) : null;
  return since === null ? {} : { due_since: since };
}

export function viewAccess(state: SessionState, presence: Presence): z.output<typeof AccessView>[] {
  const { access } = state;
  return AGENTS.map((role) => {
    const token = lookUp(access.tokens, access.currentToken[role] ?? '');
    const invitation = lookUp(access.invitations, access.openCode[role] ?? '');
    const { last_call_at, waiting } = presenceOf(state, role, presence);
    return {
      role,
      token: token
        ? {
            token_prefix: token.prefix,
            client_type: token.clientType ?? null,
            issued_at: token.issuedAt,
            expires_at: token.expiresAt,
            revoked: token.revokedAt !== null,
            scopes: [...token.scopes],
            permissions: [...token.permissions],
          }
        : null,
      last_call_at,
      waiting,
      invitation: invitation ? { code_prefix: invitation.prefix, expires_at: invitation.expiresAt } : null,
    };
  });
}
