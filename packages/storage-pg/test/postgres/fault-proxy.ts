import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

type Cut =
  /** Breaks the connection before the statement reaches the server. */
  | 'before'
  /** Breaks the connection after the server has answered, but before the answer reaches the client. */
  | 'after';

/** A proxy between a client and the PostgreSQL server. A test can make the proxy break connections. */
export interface FaultProxy {
  readonly url: string;
  /** Breaks the connection of the next statement that contains `text`. */
  cutNext(text: string, cut: Cut): void;
  /** Refuses new connections and breaks all open connections, until `start` is called. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function openFaultProxy(target: string): Promise<FaultProxy> {
  const upstream = new URL(target);
  const open = new Set<Socket>();
  let next: { text: string; cut: Cut } | undefined;
  const server = createServer((client) => {
    const remote = connect(Number(upstream.port), upstream.hostname);
    let isCut = false;
    for (const socket of [client, remote]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        remote.destroy();
      });
    }
    client.on('data', (data) => {
      if (next !== undefined && data.includes(next.text)) {
        isCut = true;
        const { cut } = next;
        next = undefined;
        if (cut === 'before') return void client.destroy();
      }
      remote.write(data);
    });
    remote.on('data', (data) => {
      if (isCut) client.destroy();
      else client.write(data);
    });
  });

  async function listen(port: number): Promise<number> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  const port = await listen(0);
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    cutNext: (text, cut) => {
      next = { text, cut };
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    start: async () => void (await listen(port)),
  };
}
