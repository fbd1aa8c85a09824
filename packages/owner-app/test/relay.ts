import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection through the relay. */
interface Line {
  readonly sockets: readonly Socket[];
  /** The latest request, or what has arrived of it. */
  request: string;
  isAnswered: boolean;
  isFrozen: boolean;
}

/**
 * Starts a relay before a service. A frozen connection holds back every byte in both directions and is not closed, as one
 * whose cable is pulled or whose address has changed: no FIN, no reset.
 */
export async function openRelay(target: string) {
  const lines: Line[] = [];
  let held: RegExp | undefined;
  const { hostname, port } = new URL(target);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const line: Line = { sockets: [near, far], request: '', isAnswered: false, isFrozen: false };
    lines.push(line);
    near.on('data', (chunk) => {
      line.request = line.isAnswered ? `${chunk}` : line.request + chunk;
      line.isAnswered = false;
      if (held?.test(line.request)) line.isFrozen = true;
    });
    far.on('data', () => {
      line.isAnswered = true;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (chunk) => line.isFrozen || to.write(chunk));
      from.on('end', () => line.isFrozen || to.end());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of lines.flatMap(({ sockets }) => sockets)) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The relay has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Whether a request of this form is the latest one of a connection. */
    carries: (request: RegExp): boolean => lines.some((line) => request.test(line.request)),
    /** Freezes each connection on which a request of this form arrives from now on, before the request is sent on. */
    freezeLater(request: RegExp) {
      held = request;
    },
    /**
     * Freezes the connections with a request of this form. Closes the others, because a client does not keep an idle connection
     * for 45 seconds. Later connections pass.
     */
    freeze(request: RegExp) {
      for (const line of lines)
        if (request.test(line.request)) line.isFrozen = true;
        else for (const socket of line.sockets) socket.destroy();
    },
  };
}
