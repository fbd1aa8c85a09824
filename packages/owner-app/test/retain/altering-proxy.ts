import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { listen } from '../listen.ts';

/** Changes the bytes of a body. If it returns undefined, the bytes stay as they are. */
type Alter = (path: string, bytes: Buffer) => Buffer | undefined;

interface Alterations {
  readonly upload?: Alter;
  readonly download?: Alter;
}

/** Starts a proxy that alters the bodies of requests and answers. It runs until the test ends. Returns its address. */
export async function startAlteringProxy(target: string, { upload, download }: Alterations): Promise<string> {
  return await startServer(async (asked, answer) => {
    const { method = '', url = '', headers } = asked;
    const body = await bytesOf(asked);
    const forwarded = request(new URL(url, target), { method, headers });
    forwarded.end((method === 'PUT' && upload?.(url, body)) || body);
    const [answered]: IncomingMessage[] = await once(forwarded, 'response');
    if (!answered) return;
    const bytes = await bytesOf(answered);
    answer.writeHead(answered.statusCode ?? 0, answered.headers);
    answer.end((method === 'GET' && download?.(url, bytes)) || bytes);
  });
}

/** Starts an HTTP server on a free port. It runs until the test ends. Returns its address. */
export async function startServer(
  onRequest: (asked: IncomingMessage, answer: ServerResponse) => unknown,
): Promise<string> {
  const server: Server = createServer((asked, answer) => void onRequest(asked, answer));
  return await listen(server);
}

/** Returns a copy of the bytes in which one bit of the byte at `index` is changed. */
export function withChangedByte(bytes: Buffer, index: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
  return changed;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
