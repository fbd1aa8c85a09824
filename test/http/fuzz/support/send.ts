import type { Agent, OutgoingHttpHeaders } from 'node:http';
import { OWNER_KEY } from '../../../support/application.ts';
import { type Sent as AnyRequest, exchange, type Heard } from '../../../support/exchange.ts';
import { MCP, REST } from '../../../support/requests.ts';
import { LATEST_HASH, LATEST_REVISION } from '../inputs/named-values.ts';
import type { FuzzCall } from '../inputs/request.ts';
import type { World } from './world.ts';

export interface Sent extends AnyRequest {
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
}

const DEADLINE_MS = 10_000;

export const send = (url: string, agent: Agent, sent: Sent): Promise<Heard> =>
  exchange(url, sent, { agent, signal: AbortSignal.timeout(DEADLINE_MS) });

/** Makes the request of a call. Fills in the session, the token or owner key, and the latest revision and its hash. */
export function toWire(call: FuzzCall, world: World): Sent {
  const { path, body, ...rest } = WIRES[call.door](call, world);
  const fill = (text: string): string =>
    text.replaceAll(LATEST_HASH, world.latest.hash).replaceAll(LATEST_REVISION, world.latest.revision);
  const sent = { ...rest, path: fill(path), ...(body === undefined ? {} : { body: fill(body) }) };
  const { 'Idempotency-Key': _, ...others } = sent.headers;
  return call.key === null ? { ...sent, headers: others } : sent;
}

const WIRES: Readonly<Record<FuzzCall['door'], (call: FuzzCall, world: World) => Sent>> = {
  REST: toRoute,
  MCP: (call, world) => ({ ...toTool(call), headers: headersOf(call, tokenOf(call, world)) }),
  'path token': (call, world) => ({ ...toTool(call, `/${tokenOf(call, world)}`), headers: {} }),
  owner: toOwner,
};

function toRoute(call: FuzzCall, world: World): Sent {
  const [method = '', route = ''] = (call.operation?.route ?? '').split(' ');
  const path = route.startsWith('/') ? `${REST}${route}` : `${REST}/sessions/${sessionOf(call, world)}/${route}`;
  return withInput(call, { method, path, headers: headersOf(call, tokenOf(call, world)) });
}

function toOwner(call: FuzzCall, world: World): Sent {
  const { operation } = call;
  const path = operation ? `/${sessionOf(call, world)}/${kebab(operation.name)}` : '';
  const method = operation?.isRead ? 'GET' : 'POST';
  return withInput(call, { method, path: `/owner/api/sessions${path}`, headers: headersOf(call, OWNER_KEY) });
}

function toTool({ tool, input, change }: FuzzCall, segment = ''): Omit<Sent, 'headers'> {
  const params = { name: tool, arguments: input };
  const body = change(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }));
  return { method: 'POST', path: `${MCP}${segment}`, body };
}

function withInput({ input, change }: FuzzCall, sent: Sent): Sent {
  if (sent.method === 'POST') return { ...sent, body: change(JSON.stringify(input) ?? '') };
  const members = Object.entries(Object(input)).map(([name, value]): [string, string] => [
    name.toWellFormed(),
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 2_000),
  ]);
  const query = new URLSearchParams(members.slice(0, 20)).toString().slice(0, 12_000);
  return query === '' ? sent : { ...sent, path: `${sent.path}?${query}` };
}

const headersOf = ({ key }: FuzzCall, secret: string): OutgoingHttpHeaders => ({
  Authorization: `Bearer ${secret}`,
  'Idempotency-Key': key ?? '',
});

const tokenOf = ({ role }: FuzzCall, { present }: World): string => present.tokens[role];

function sessionOf({ session }: FuzzCall, { present, service }: World): string {
  if (session === 'own') return present.sessionId;
  return session === 'other' ? service.sessionId : encodeURIComponent(session.toWellFormed());
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
