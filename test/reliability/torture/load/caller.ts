import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Json } from '@parley/missions';
import { countIn, type RunRecord } from '../record.ts';
import { judge, type Reply, type Verdict } from './judge.ts';

export interface Call {
  readonly seat: { readonly sessionId: string; readonly token: string };
  readonly tool: string;
  readonly input?: Json;
  readonly over: 'rest' | 'mcp';
  readonly signal?: AbortSignal;
  /** Expected error codes. A refusal with one of these codes is not recorded as wrong. */
  readonly expects?: readonly string[];
}

export type Outcome = Timed<Verdict | { readonly kind: 'left' }>;
type Timed<T> = T & { readonly sentAt: number; readonly at: number };

export interface Caller {
  call(call: Call): Promise<Outcome>;
  close(): void;
}

const ROUTES: Readonly<Record<string, string>> = {
  read_session_state: 'GET state',
  read_task: 'GET task',
  read_messages: 'GET messages',
  list_decisions: 'GET decisions',
  post_turn: 'POST turns',
  submit_decision: 'POST decisions',
  accept_decision: 'POST decisions/accept',
  get_session_events: 'GET events',
  ack_events: 'POST events/ack',
};

/** Calls tools at `url`, over REST or MCP, and records the calls. */
export function createCaller(url: string, record: RunRecord): Caller {
  const isSecure = url.startsWith('https:');
  const kept = { keepAlive: true, maxFreeSockets: 1_000 };
  const agent = isSecure ? new HttpsAgent({ ...kept, rejectUnauthorized: false }) : new HttpAgent(kept);
  const request = isSecure ? requestHttps : requestHttp;

  const exchange = ({ method, path, body, token }: Sent, signal?: AbortSignal): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const options = { agent, method, headers, ...(signal && { signal }) };
      const sent = request(`${url}${path}`, options, (response) => readReply(response).then(resolve, reject));
      sent.on('error', reject).end(body);
    });

  async function call({ signal, expects = [], ...asked }: Call): Promise<Outcome> {
    const sentAt = performance.now();
    record.requests += 1;
    const verdict = await exchange(asked.over === 'rest' ? restRequest(asked) : mcpRequest(asked), signal).then(
      (reply) => judge(reply, asked.over),
      (error: Error) => (signal?.aborted ? { kind: 'left' as const } : { kind: 'away' as const, why: error.message }),
    );
    if (verdict.kind === 'away') countIn(record.away, verdict.why);
    if (verdict.kind === 'wrong') record.wrong.push(`${asked.tool} over ${asked.over}: ${verdict.text}`);
    if (verdict.kind === 'refused' && !expects.includes(verdict.code))
      record.wrong.push(`${asked.tool} over ${asked.over}: refused with ${verdict.code}`);
    const at = performance.now();
    if (verdict.kind === 'answered' && asked.input?.wait === undefined) record.unheld.push({ sentAt, at });
    return { ...verdict, sentAt, at };
  }

  return { call, close: () => agent.destroy() };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly token: string;
}

type Asked = Pick<Call, 'seat' | 'tool' | 'input'>;

function restRequest({ seat: { sessionId, token }, tool, input = {} }: Asked): Sent {
  const [method = '', route = ''] = (ROUTES[tool] ?? '').split(' ');
  const path = `/api/public/agent/sessions/${sessionId}/${route}`;
  if (method === 'POST') return { method, path, body: JSON.stringify(input), token };
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method, path: `${path}?${query}`, token };
}

function mcpRequest({ seat: { token }, tool, input = {} }: Asked): Sent {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: input } };
  return { method: 'POST', path: '/api/public/mcp', body: JSON.stringify(body), token };
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const { statusCode: status = 0, headers } = response;
  return { status, text: await text(response), retryAfter: headers['retry-after'] };
}
