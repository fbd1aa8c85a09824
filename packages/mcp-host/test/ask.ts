import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a parsed body, of which each test knows the shape
  readonly json: any;
}

interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** One request over its own connection, with the path sent exactly as written. */
export function ask(base: string, path: string, { method, headers = {}, body }: Question = {}): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    const sent = request({ hostname, port, path, method: verb, headers, agent: false }, (response) => {
      text(response).then((read) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read, json: parsed(read) });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
