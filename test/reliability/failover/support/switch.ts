import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy at a fixed address with a changeable target, like a virtual address in production. */
export interface Switch {
  readonly port: number;
  /** Breaks every connection. Forwards new connections to this local port. */
  turnTo(port: number): void;
  /** Keeps the connections open, but forwards no more bytes until `turnTo` is called. */
  hold(): void;
  close(): Promise<void>;
}

export async function openSwitch(target: number): Promise<Switch> {
  const open = new Set<Socket>();
  let port = target;
  let isHeld = false;

  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    join(near, far);
    join(far, near);
    if (isHeld) near.pause();
  });

  function join(socket: Socket, other: Socket): void {
    open.add(socket.setNoDelay(true));
    socket.on('data', (data) => other.writable && other.write(data));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  }

  function breakAll(): void {
    for (const socket of open) socket.destroy();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    turnTo(next) {
      port = next;
      isHeld = false;
      breakAll();
    },
    hold() {
      isHeld = true;
      for (const socket of open) socket.pause();
    },
    async close() {
      server.close();
      breakAll();
      await once(server, 'close');
    },
  };
}
