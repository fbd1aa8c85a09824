import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Cut =
  /**
   * Breaks the connection after this share of the request or of the answer: 0 is before the first byte, 1 after the
   * last.
   */
  | { readonly part: 'request' | 'answer'; readonly share: number }
  /** Delays the request by this many milliseconds, then forwards it even if the client has disconnected. */
  | { readonly lateMs: number };

/** A proxy between a host and its database that can break connections and delay statements. */
export interface CuttingProxy {
  readonly url: string;
  /** Applies `cut` to the next `count` statements that contain `text`. Resolves when all of them are cut. */
  cutNext(text: string, cut: Cut, count?: number): Promise<void>;
  /** `true` breaks every connection and refuses new ones. `false` accepts connections again. */
  stayAway(isAway: boolean): void;
  /** Resolves when no statement is being delayed. */
  settled(): Promise<unknown>;
  close(): Promise<void>;
}

interface Order {
  readonly text: string;
  readonly cut: Cut;
  left: number;
  readonly done: () => void;
}

interface Wires {
  readonly client: Socket;
  readonly remote: Socket;
}

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const upstream = new URL(target);
  const open = new Set<Socket>();
  const late: Promise<void>[] = [];
  let order: Order | undefined;
  let isAway = false;

  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const remote = connect(Number(upstream.port), upstream.hostname);
    for (const socket of [client, remote]) {
      open.add(socket.setNoDelay(true));
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
    let isHeld = false;
    client.on('close', () => isHeld || remote.destroy());
    remote.on('close', () => client.destroy());
    remote.on('data', (data) => client.writable && client.write(data));
    client.on('data', (data) => {
      const cut = takeOrder(data);
      if (!cut) return void remote.write(data);
      if ('share' in cut) return cutAt({ client, remote }, data, cut);
      isHeld = true;
      late.push(pause(cut.lateMs).then(() => finishLate({ client, remote }, data)));
    });
  });

  function takeOrder(data: Buffer): Cut | undefined {
    if (!order || !data.includes(order.text)) return undefined;
    const { cut, done } = order;
    order.left -= 1;
    if (order.left === 0) {
      order = undefined;
      done();
    }
    return cut;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: Object.assign(new URL(target), { port }).href,
    cutNext: (text, cut, count = 1) =>
      new Promise((done) => {
        order = { text, cut, left: count, done };
      }),
    stayAway(value) {
      isAway = value;
      if (isAway) for (const socket of open) socket.destroy();
    },
    settled: () => Promise.all(late),
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

function cutAt({ client, remote }: Wires, data: Buffer, { part, share }: Extract<Cut, { share: number }>): void {
  if (part === 'request') {
    remote.end(data.subarray(0, Math.floor(data.length * share)));
    client.destroy();
    return;
  }
  remote.removeAllListeners('data').once('data', (answer) => {
    client.end(answer.subarray(0, Math.floor(answer.length * share)));
    remote.destroy();
  });
  remote.write(data);
}

/** Forwards a delayed request to the database and waits for its answer, even if the client has disconnected. */
async function finishLate({ client, remote }: Wires, data: Buffer): Promise<void> {
  const answered = once(remote, 'data');
  remote.write(data);
  await answered;
  if (client.destroyed) remote.end();
}
