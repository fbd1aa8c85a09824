import { connect, type Socket } from 'node:net';
import { readAnswer } from './answer.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Gets the body of the answer, and an error if there is no answer or the status of the answer is not a success. */
type Answered = (error: Error | undefined, body: Buffer) => void;

/**
 * An open connection that sends one request at a time. It uses a bare socket, because an HTTP client would use more
 * processor time.
 */
export interface Connection {
  /** Sends a request. If the answer's status is not a success, `answered` gets an error. */
  exchange(request: Request, answered: Answered): void;
  send(request: Request): Promise<Buffer>;
  close(): void;
}

const NOTHING = Buffer.alloc(0);
/** Milliseconds after which a request without an answer fails. Polls last up to 25 seconds, so the limit is longer. */
const PATIENCE_MS = 60_000;

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = await open(hostname, Number(port));
  let received: Buffer = NOTHING;
  let waiting: Answered | undefined;

  const settle = (error: Error | undefined, body: Buffer): void => {
    const answered = waiting;
    waiting = undefined;
    received = NOTHING;
    answered?.(error, body);
  };
  socket.on('data', (part) => {
    received = received.length === 0 ? part : Buffer.concat([received, part]);
    const answer = readAnswer(received);
    if (answer === undefined) return;
    if (answer instanceof Error) settle(answer, NOTHING);
    else settle(failureOf(answer.status, answer.body), answer.body);
  });
  socket.setTimeout(PATIENCE_MS, () => {
    if (waiting) socket.destroy(new Error(`The server did not answer within ${PATIENCE_MS / 1000} s.`));
  });
  socket.on('error', (error) => settle(error, NOTHING));
  socket.on('close', () => settle(new Error('The server closed the connection.'), NOTHING));

  const exchange = (request: Request, answered: Answered): void => {
    waiting = answered;
    if (socket.destroyed) settle(new Error('The connection is closed.'), NOTHING);
    else socket.write(bytesOf(request));
  };
  return {
    exchange,
    send: (request) =>
      new Promise((resolve, reject) => exchange(request, (error, body) => (error ? reject(error) : resolve(body)))),
    close: () => socket.destroy(),
  };
}

function failureOf(status: number, body: Buffer): Error | undefined {
  if (status >= 200 && status < 300) return undefined;
  return new Error(`The server answered ${status}: ${body.toString().slice(0, 500)}`);
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket)).once('error', reject);
  });
}

/** The bytes of requests without a body. They are kept, because such a request is sent more than once. */
const written = new WeakMap<Request, string>();

export function bytesOf(request: Request): string {
  const known = written.get(request);
  if (known !== undefined) return known;
  const bytes = writeDown(request);
  if (request.body === undefined) written.set(request, bytes);
  return bytes;
}

function writeDown({ method, path, headers = {}, body }: Request): string {
  const length =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${length}${lines}\r\n${body ?? ''}`;
}
