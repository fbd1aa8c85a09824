import { z } from 'zod';
import type { Presence } from '../../kernel/last-calls.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { AGENTS, type Agent, isBuilder } from '../../kernel/roles.ts';
import { AgentRole, At } from '../fields.ts';
import type { SessionState } from '../state.ts';
import type { Token } from './record.ts';

export const AgentPresence = z.strictObject({
  role: AgentRole,
  display_name: z.string(),
  joined: z.boolean().describe('Whether the agent has redeemed an invitation.'),
  revoked: z.boolean().describe('Whether the token of the agent was revoked.'),
  token_expires_at: At.nullable().describe('Null if the agent has no token.'),
  code_expires_at: At.nullable().describe('Null if the agent has no unused invitation code.'),
  last_call_at: At.nullable().describe('Last known call, up to 30 s late; null if none is known.'),
  waiting: z.boolean().describe('Whether a long-poll of the agent is open.'),
  wrote_at: At.optional().describe('Time of the last event of the agent.'),
  due_since: At.optional().describe(
    'Time since which the agent can act. The part of the latest pause that follows this time is added to it. Absent if movers does not contain the agent.',
  ),
});
documented.add(AgentPresence, { id: 'AgentPresence' });

/**
 * The presence of both builders. The moderator is included if it has an unused invitation code or has ever had a token.
 */
export const viewPresence = (state: SessionState, presence: Presence): z.output<typeof AgentPresence>[] =>
  AGENTS.filter((role) => isBuilder(role) || takesPart(state, role)).map((role) => presenceOf(state, role, presence));

const takesPart = ({ access }: SessionState, role: Agent): boolean =>
  access.currentToken[role] !== undefined || access.openCode[role] !== undefined;

export function presenceOf(
  { access, profile, times }: SessionState,
  role: Agent,
  { calls }: Presence,
): z.output<typeof AgentPresence> {
  const token = lookUp(access.tokens, access.currentToken[role] ?? '');
  const call = token && lastCallOf(token, calls[role]);
  return {
    role,
    display_name: isBuilder(role) ? profile.agents[role].name : 'Moderator',
    joined: token !== undefined,
    revoked: token !== undefined && token.revoked_at !== null,
    token_expires_at: token?.expires_at ?? null,
    code_expires_at: lookUp(access.invitations, access.openCode[role] ?? '')?.expires_at ?? null,
    last_call_at: call ? new Date(call.atMs).toISOString() : null,
    waiting: call?.isWaiting ?? false,
    ...(times.wroteAt[role] !== undefined && { wrote_at: times.wroteAt[role] }),
  };
}

/** The last call of a role. Undefined if no call is known, or if the role made it before the given token was issued. */
export const lastCallOf = ({ issued_at }: Token, call: Presence['calls'][Agent]): Presence['calls'][Agent] =>
  call && call.atMs >= Date.parse(issued_at) ? call : undefined;
