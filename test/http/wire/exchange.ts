import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly json: unknown;
}

export interface Sent {
  readonly method: string;
  /** Sent exactly as written. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | undefined;
}

/** One request over a connection of the pool. */
export function exchange(port: number, pool: Agent, { method, path, headers = {}, body }: Sent): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: pool }, (response) => {
      const { statusCode: status = 0, headers: heard } = response;
      text(response).then((read) => resolve({ status, headers: heard, text: read, json: parsed(read) }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What stands at a path of members inside parsed JSON; undefined where the path ends early. */
export const at = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, name) => (Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined), json);
