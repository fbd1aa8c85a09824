import { connect, type Socket } from 'node:net';
import { CONNECTIONS, type Figures } from './bench.ts';
import { quantile } from './statistics.ts';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly url: string;
  readonly seconds: number;
  /** The next request of a connection, 0 to 31. */
  next(connection: number): Request;
}

/**
 * Requests over kept connections, one under way on each.
 *
 * The client writes and reads plain bytes on sockets: it shares the processor with what it measures.
 *
 * @throws Error for any answer that is not a success
 */
export async function load({ url, seconds, next }: Load): Promise<Figures> {
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      const connection = await openConnection(url);
      try {
        for (let now = performance.now(); now < end; ) {
          await connection.send(next(index));
          const after = performance.now();
          latencies.push(after - now);
          now = after;
        }
      } finally {
        connection.close();
      }
    }),
  );
  const elapsed = (performance.now() - begin) / 1000;
  return { [RATE]: latencies.length / elapsed, [P95]: quantile(latencies, 0.95) };
}

export const [RATE, P95] = ['requests', 'p95'] as const;

export interface Connection {
  /** The body of the answer. */
  send(request: Request): Promise<Buffer>;
  close(): void;
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = await open(hostname, Number(port));
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve(body: Buffer): void; reject(error: Error): void } | undefined;

  socket.on('data', (part) => {
    received = received.length === 0 ? part : Buffer.concat([received, part]);
    const answer = readAnswer(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    const { status, body } = answer;
    if (status >= 200 && status < 300) waiting?.resolve(body);
    else waiting?.reject(new Error(`The server answered ${status}: ${body.toString().slice(0, 500)}`));
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection.')));
  return {
    send(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(bytesOf(request));
      });
    },
    close: () => socket.destroy(),
  };
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket)).once('error', reject);
  });
}

function bytesOf({ method, path, headers = {}, body }: Request): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${length}${lines.join('')}\r\n${body ?? ''}`;
}

const LAST_CHUNK = '0\r\n\r\n';

/** The answer, once it is whole. Chunks stay framed: nobody reads the body of a peer that sends them. */
function readAnswer(received: Buffer): { status: number; body: Buffer } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const body = received.subarray(headEnd + 4);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? body.toString('latin1', body.length - LAST_CHUNK.length) === LAST_CHUNK
      : body.length >= Number(length);
  return isWhole ? { status: Number(head.slice(9, 12)), body } : undefined;
}
