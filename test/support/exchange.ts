import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a parsed body; each test knows its shape
  readonly json: any;
}

export interface Sent {
  readonly method: string;
  /** The path, which is sent exactly as it is. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
}

interface Connecting {
  /** Reuses connections for further requests. Without it, each request has a new connection. */
  readonly agent?: Agent;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request to a server such as `http://127.0.0.1:4100`. */
export function exchange(
  base: string,
  { method, path, headers = {}, body }: Sent,
  { agent, signal }: Connecting = {},
): Promise<Heard> {
  const { hostname, port } = new URL(base);
  const options = {
    hostname,
    port,
    path,
    method,
    headers,
    agent: agent ?? (false as const),
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const { statusCode: status = 0, headers: heard } = response;
      text(response).then((read) => resolve({ status, headers: heard, text: read, json: parsed(read) }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends a request to a path of the server. With a body, the request is a POST. */
export const ask = (
  base: string,
  path: string,
  { method, ...rest }: Partial<Omit<Sent, 'path'>> = {},
): Promise<Heard> => exchange(base, { method: method ?? (rest.body === undefined ? 'GET' : 'POST'), path, ...rest });

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The value at a path of members in parsed JSON. Undefined if there is none. */
export const at = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, name) => (Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined), json);
