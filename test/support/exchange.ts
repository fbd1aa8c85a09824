import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, or undefined if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a parsed body; each test knows its shape
  readonly json: any;
}

export interface Sent {
  readonly method: string;
  /** The path of the request, which is sent exactly as it is, without normalization. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | undefined;
}

interface Connecting {
  /** Node's HTTP agent, which reuses connections. If it is missing, each request has a new connection. */
  readonly agent?: Agent;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request to the server at `base`, such as `http://127.0.0.1:4100`. */
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

/** Sends a request to a path of the server. A request with a body is a POST by default. */
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

/** The value at a path of members in parsed JSON, or undefined. */
export const at = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, name) => (Object.hasOwn(Object(value), name) ? Object(value)[name] : undefined), json);
