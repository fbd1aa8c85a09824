import { ROUTES } from '../areas/route-table.ts';
import { fail } from '../kernel/errors.ts';
import type { Agent } from '../kernel/roles.ts';
import { addressOf, membersOf } from './address.ts';
import type { AgentClient, ToolInput, ToolOutput } from './calls.ts';
import type { Transport } from './over-http.ts';

/** The seat of an agent: members of the answer of `redeem`. */
export interface Seat {
  readonly session_id: string;
  readonly token: string;
  readonly role: Agent;
}

/**
 * Exchanges an invitation code for the seat of an agent. The token is valid for 24 hours.
 *
 * @param transport to the agents' REST interface
 * @throws ParleyError INVITATION_INVALID if the code is unknown, used or expired
 */
export async function redeem(
  transport: Transport,
  input: ToolInput<'redeem_invitation'>,
): Promise<ToolOutput<'redeem_invitation'>> {
  return (await transport({ ...addressOf(ROUTES.builder.redeem_invitation, input), isRepeatable: false })) as never;
}

/**
 * Calls the tools of one agent.
 *
 * @param transport to the agents' REST interface
 */
export function createAgentClient(transport: Transport, { session_id, token, role }: Seat): AgentClient {
  const headers = { authorization: `Bearer ${token}` };
  const routes: Readonly<Record<string, string>> = ROUTES[role === 'moderator' ? 'moderator' : 'builder'];
  return {
    async call(name, ...[input, { signal } = {}]) {
      const route = routes[name] ?? fail('NOT_FOUND', `A ${role} has no tool ${name}.`);
      const given = restInput(membersOf(input));
      const { path, ...sending } = addressOf(route, given);
      const whole = path.startsWith('/') ? path : `/sessions/${session_id}/${path}`;
      const isRepeatable = sending.method === 'GET' || typeof given.request_id === 'string';
      const waitSeconds = Number(given.wait ?? /wait=(\d+)/.exec(route)?.[1] ?? 0);
      return (await transport({ ...sending, path: whole, headers, isRepeatable, waitSeconds, signal })) as never;
    },
  };
}

/** `wait_for_activity` shares its route with `get_session_events`, where the seconds to wait are named `wait`. */
const restInput = ({ wait_seconds, ...input }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  wait_seconds === undefined ? input : { ...input, wait: wait_seconds };
