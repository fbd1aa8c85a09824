import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a relay before a service. While it is silent, it holds back every byte in both directions and closes no
 * connection, as a network does whose cable is pulled: no FIN, no reset.
 */
export async function openRelay(target: string) {
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'refuse' | 'silent' = 'pass';
  const { hostname, port } = new URL(target);
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    if (mode === 'refuse') return near.destroy();
    const far = connect(Number(port), hostname);
    sockets.add(far);
    far.on('error', () => undefined);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => mode !== 'silent' && to.write(chunk));
      from.on('end', () => mode !== 'silent' && to.end());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The relay has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Number of connections since the start. */
    connections: () => sockets.size,
    turn(next: typeof mode) {
      mode = next;
    },
  };
}
