import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** A request with a body is a POST. */
  readonly body?: string;
}

interface Heard {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Held {
  /** Sends the last byte, and returns the answer. */
  finish(): Promise<Heard>;
}

/** Sends requests to a proxy on the same machine. Accepts any certificate. */
export interface TlsClient {
  ask(path: string, sent?: Sent): Promise<Heard>;
  /** Sends a POST without the last byte of its body. */
  hold(path: string, sent: Required<Sent>): Held;
  /** Returns the beginning of an endless answer, up to the text `until`. */
  firstBytes(path: string, headers: Readonly<Record<string, string>>, until: string): Promise<string>;
}

export function tlsClient(port: number): TlsClient {
  const target = { host: '127.0.0.1', port, rejectUnauthorized: false };
  return {
    ask(path, { headers = {}, body } = {}) {
      const asking = request({ ...target, path, headers, method: body === undefined ? 'GET' : 'POST' });
      const heard = answerOf(asking);
      asking.end(body);
      return heard;
    },
    hold(path, { headers, body }) {
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      const asking = request({ ...target, path, headers: { ...headers, ...length }, method: 'POST' });
      const heard = answerOf(asking);
      asking.write(body.slice(0, -1));
      return {
        finish() {
          asking.end(body.slice(-1));
          return heard;
        },
      };
    },
    firstBytes: (path, headers, until) =>
      new Promise((resolve, reject) => {
        const asking = request({ ...target, path, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
            if (!text.includes(until)) return;
            asking.destroy();
            resolve(text);
          });
        });
        asking.once('error', reject).end();
      }),
  };
}

async function answerOf(asking: ClientRequest): Promise<Heard> {
  const [response]: IncomingMessage[] = await once(asking, 'response');
  if (!response) throw new Error('The proxy has not answered.');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Creates `privkey.pem` and `fullchain.pem` in a folder, for localhost and valid for one day. */
export function makeCertificate(folder: string): void {
  const names = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', ...kind, '-subj', '/CN=localhost', ...names], { stdio: 'ignore' });
}
