import type { Parley } from '@parley/core';
import type { Operation, SeatRole } from '../world/exchange.ts';
import { type ClientConnection, type Reply, type Request, send } from '../world/wire.ts';
import type { World } from '../world/world.ts';

/** A role of a session, and its current token, which several clients can share. */
export interface Seat {
  readonly sessionId: string;
  readonly role: SeatRole;
  token: string;
}

interface Way {
  readonly operation: Operation;
  /** The REST route. Without a route, the tool is called over MCP. */
  readonly route?: string;
}

const WAYS = {
  read_session_state: { operation: 'state', route: 'GET state' },
  wait_for_my_turn: { operation: 'state' },
  read_messages: { operation: 'messages', route: 'GET messages' },
  post_turn: { operation: 'turn', route: 'POST turns' },
  post_evidence: { operation: 'write', route: 'POST evidence' },
  answer_question: { operation: 'write', route: 'POST questions/answer' },
  list_decisions: { operation: 'other', route: 'GET decisions' },
  submit_decision: { operation: 'write', route: 'POST decisions' },
  accept_decision: { operation: 'other', route: 'POST decisions/accept' },
  reject_decision: { operation: 'write', route: 'POST decisions/reject' },
  withdraw_decision: { operation: 'write', route: 'POST decisions/withdraw' },
  elect_contract_author: { operation: 'write', route: 'POST contract-election' },
  ack_intervention: { operation: 'other', route: 'POST interventions/ack' },
  answer_intervention: { operation: 'write', route: 'POST interventions/answer' },
  ack_action: { operation: 'other', route: 'POST actions/ack' },
  complete_action: { operation: 'other', route: 'POST actions/complete' },
  get_final_plan: { operation: 'plan', route: 'GET plan' },
  list_blockers: { operation: 'other', route: 'GET contract-blockers' },
  submit_contract: { operation: 'write', route: 'POST contract' },
  submit_position: { operation: 'write', route: 'POST plan' },
  propose_revision: { operation: 'write', route: 'POST plan-revision' },
  patch_contract: { operation: 'write', route: 'POST contract/patch' },
  submit_final_review: { operation: 'write', route: 'POST final-review' },
  submit_finding: { operation: 'write', route: 'POST findings' },
  respond_finding: { operation: 'write', route: 'POST findings/respond' },
  resolve_finding: { operation: 'other', route: 'POST findings/resolve' },
  revalidate_contract: { operation: 'other', route: 'POST contract/revalidate' },
} satisfies Record<string, Way>;

export type ToolName = keyof typeof WAYS;

export interface Call {
  readonly name: ToolName;
  readonly input?: Readonly<Record<string, string | number | boolean | object>>;
  readonly marker?: string;
  readonly key?: string;
}

export function callTool(world: World, { sessionId, role, token }: Seat, call: Call): Promise<Reply | null> {
  const { name, input = {}, marker, key } = call;
  const way: Way = WAYS[name];
  const { prng } = world;
  const inQuery = { waitSeconds: optionalNumber(input.wait), after: optionalNumber(input.after) };
  const facts = {
    ...withoutUndefined({ marker, key, ...inQuery }),
    ...{ operation: way.operation, name, sessionId, role, token, isCounted: true },
  };
  const asRoute = way.route !== undefined && prng.chance(0.7);
  const bodyDelay = prng.chance(0.3) ? prng.between(1, 60) : 0;
  const run: Request['run'] = (parley, connection) =>
    asRoute
      ? overRoute(parley, connection, { route: way.route ?? '', sessionId, token, input, key, bodyDelay })
      : overTool(parley, connection, { name, token, input: key === undefined ? input : { ...input, request_id: key } });
  return send(world, { facts, run });
}

interface RouteCall {
  readonly route: string;
  readonly sessionId: string;
  readonly token: string;
  readonly input: NonNullable<Call['input']>;
  readonly key: string | undefined;
  readonly bodyDelay: number;
}

function overRoute(parley: Parley, { signal, pause }: ClientConnection, call: RouteCall): Promise<Reply> {
  const [method = '', path = ''] = call.route.split(' ');
  return parley.callRoute({
    authorization: [`Bearer ${call.token}`],
    address: '192.0.2.1',
    signal,
    method,
    path: `/sessions/${call.sessionId}/${path}`,
    query: method === 'GET' ? queryOf(call.input) : new URLSearchParams(),
    idempotencyKeys: call.key === undefined ? [] : [call.key],
    async readBody() {
      if (call.bodyDelay > 0) await pause(call.bodyDelay);
      return JSON.stringify(call.input);
    },
  });
}

function queryOf(input: RouteCall['input']): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) query.set(name, String(value));
  return query;
}

interface ToolCall {
  readonly name: string;
  readonly token: string;
  readonly input: unknown;
}

function overTool(parley: Parley, { signal }: ClientConnection, { name, token, input }: ToolCall): Promise<Reply> {
  return answered(parley, async () => {
    const admission = await parley.admit({ authorization: [`Bearer ${token}`], address: '192.0.2.1', signal });
    return (await admission.callTool(name, input)).text;
  });
}

/** Converts the result or error of a call in process to the form of an HTTP answer. */
export async function answered(parley: Parley, call: () => Promise<string>): Promise<Reply> {
  try {
    return { status: 200, body: await call() };
  } catch (thrown) {
    const error = parley.toError(thrown);
    return { status: error.status, body: JSON.stringify(error.body()) };
  }
}

const optionalNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
