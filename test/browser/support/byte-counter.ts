import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ByteCounter {
  readonly url: string;
  /** Returns the number of bytes that the server has sent since the previous call. */
  take(): number;
}

/** Forwards connections to the server at `target` until the test ends. Counts the bytes that the server sends. */
export async function countBytes(target: string): Promise<ByteCounter> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let bytes = 0;
  const forwarding = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => [client, server].map((end) => end.destroy()));
    }
    server.on('data', (chunk) => {
      bytes += chunk.length;
    });
    client.pipe(server).pipe(client);
  });
  forwarding.listen(0, '127.0.0.1');
  await once(forwarding, 'listening');
  onTestFinished(() => {
    forwarding.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${Object(forwarding.address()).port}`,
    take() {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
  };
}
