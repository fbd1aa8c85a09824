import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Builder, Json } from '@parley/missions';
import type { HostProcess } from './host-process.ts';
import type { Seat } from './scene.ts';

export interface Ask {
  readonly host: Pick<HostProcess, 'baseUrl'>;
  readonly seat: Pick<Seat, 'sessionId' | 'token'>;
  /** Such as `GET state?wait=25`, below the session. */
  readonly route: string;
  readonly body?: Json;
  /** Ends the connection, as a client does that goes away. */
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
  readonly retryAfter: string | undefined;
  /** When it was there, by `performance.now()`. */
  readonly at: number;
}

const agent = new Agent({ keepAlive: true, maxFreeSockets: 20_000 });

export function ask({ host, seat, route, body, signal }: Ask): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ');
  const url = `${host.baseUrl}/sessions/${seat.sessionId}/${path}`;
  const headers = { authorization: `Bearer ${seat.token}` };
  return send(url, { method, headers, ...(body && { body: JSON.stringify(body) }), ...(signal && { signal }) });
}

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export function send(url: string, { body, ...options }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, ...options }, (response) => readReply(response).then(resolve, reject));
    sent.on('error', reject).end(body);
  });
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const raw = await text(response);
  const { statusCode: status = 0, headers } = response;
  return { status, text: raw, body: JSON.parse(raw), retryAfter: headers['retry-after'], at: performance.now() };
}

export const speakerAt = (index: number): Builder => (index % 2 === 0 ? 'agent_a' : 'agent_b');
