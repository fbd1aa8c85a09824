import { Agent } from 'node:http';
import type { Builder, Json } from '@parley/missions';
import { exchange, type Sent } from '../../../support/exchange.ts';
import { bearer } from '../../../support/requests.ts';
import type { HostProcess } from './host-process.ts';
import type { Seat } from './scene.ts';

export interface Ask {
  readonly host: Pick<HostProcess, 'baseUrl'>;
  readonly seat: Pick<Seat, 'sessionId' | 'token'>;
  /** The method, the path below the session, and the query, such as `GET state?wait=25`. */
  readonly route: string;
  readonly body?: Json;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
  readonly retryAfter: string | undefined;
  /** Time of the answer, by `performance.now()`. */
  readonly at: number;
}

const agent = new Agent({ keepAlive: true, maxFreeSockets: 20_000 });

export function ask({ host, seat, route, body, signal }: Ask): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ');
  const url = `${host.baseUrl}/sessions/${seat.sessionId}/${path}`;
  return send(url, {
    method,
    headers: bearer(seat.token),
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

export async function send(url: string, { signal, ...sent }: Omit<Sent, 'path'> & Pick<Ask, 'signal'>): Promise<Reply> {
  const { origin, pathname, search } = new URL(url);
  const heard = await exchange(origin, { ...sent, path: pathname + search }, { agent, signal });
  const { status, text, json: body, headers } = heard;
  return { status, text, body, retryAfter: headers['retry-after'], at: performance.now() };
}

export const speakerAt = (index: number): Builder => (index % 2 === 0 ? 'agent_a' : 'agent_b');
