import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a relay before a service. A frozen connection holds back every byte in both directions and is not closed, as one
 * whose cable is pulled or whose address has changed: no FIN, no reset.
 */
export async function openRelay(target: string) {
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    const far = connect(Number(port), hostname);
    sockets.add(far);
    far.on('error', () => undefined);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => frozen.has(from) || to.write(chunk));
      from.on('end', () => frozen.has(from) || to.end());
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
    /** Freezes the connections that are open now. Later ones pass. */
    freeze() {
      for (const socket of sockets) frozen.add(socket);
    },
  };
}
