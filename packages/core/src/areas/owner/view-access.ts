import type { z } from 'zod';
import type { Presence } from '../../kernel/last-calls.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { AGENTS, type Agent, BUILDERS, type Role } from '../../kernel/roles.ts';
import { AgentPresence, presenceOf, viewPresence } from '../access/rules.ts';
import { InvitationView, TokenView } from '../access/state.ts';
import { AgentRole } from '../fields.ts';
import { pickOf } from '../listing.ts';
import { agentSince } from '../session/movers.ts';
import { AgentView, viewAgent } from '../session/views.ts';
import type { SessionState } from '../state.ts';

export const AccessView = namedObject('Access', {
  role: AgentRole,
  token: TokenView.nullable(),
  last_call_at: AgentPresence.shape.last_call_at,
  waiting: AgentPresence.shape.waiting,
  invitation: InvitationView.nullable(),
});

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

const pickToken = pickOf(TokenView);
const pickInvitation = pickOf(InvitationView);

export function viewAccess(state: SessionState, presence: Presence): z.output<typeof AccessView>[] {
  const { access } = state;
  return AGENTS.map((role) => {
    const token = lookUp(access.tokens, access.currentToken[role] ?? '');
    const invitation = lookUp(access.invitations, access.openCode[role] ?? '');
    const { last_call_at, waiting } = presenceOf(state, role, presence);
    return {
      role,
      token: token ? pickToken({ ...token, revoked: token.revoked_at !== null }) : null,
      last_call_at,
      waiting,
      invitation: invitation ? pickInvitation(invitation) : null,
    };
  });
}
