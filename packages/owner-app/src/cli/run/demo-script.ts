import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, readAs } from '../../text/read-as.ts';

/** Milliseconds after which an agent's program gets an empty answer, if there is no tool call for the agent. */
const HELD_MS = 500;
const LOOK_MS = 5;

interface Order {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly settle: (result: Json, isError: boolean) => void;
}

/**
 * A server on loopback that takes the place of the agents' models: it answers the programs of the agents with tool
 * calls.
 */
export interface DemoScript {
  readonly url: string;
  /** Makes the program of a role call a tool. Rejects if the call is refused. */
  order(role: string, tool: string, input: Json): Promise<Json>;
  close(): void;
}

export async function startDemoScript(): Promise<DemoScript> {
  const orders = new Map<string, Order[]>();
  let count = 0;
  const answer = async (request: IncomingMessage): Promise<Json> => {
    const role = (request.url ?? '').slice(1);
    const body = readAs(await json(request), { id: 'any', isError: 'any', result: 'record' });
    const queue = orders.get(role) ?? [];
    if (body.id !== undefined) {
      settle(queue, body);
      return {};
    }
    const next = await nextOrder(() => orders.get(role)?.[0]);
    return next ? { id: next.id, tool: next.tool, input: next.input } : {};
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    order: (role, tool, input) =>
      new Promise((resolve, reject) => {
        count += 1;
        const settled = (result: Json, isError: boolean): void =>
          isError
            ? reject(new Error(`${tool} was refused: ${readAs(result, { message: 'text' }).message}`))
            : resolve(result);
        orders.set(role, [...(orders.get(role) ?? []), { id: `call_${count}`, tool, input, settle: settled }]);
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function nextOrder(first: () => Order | undefined): Promise<Order | undefined> {
  for (let heldMs = 0; heldMs < HELD_MS; heldMs += LOOK_MS) {
    const order = first();
    if (order) return order;
    await sleep(LOOK_MS);
  }
  return undefined;
}

interface Settled {
  readonly id: unknown;
  readonly isError: unknown;
  readonly result: Json;
}

/**
 * Removes a tool call from the queue when its result has arrived. If the agent's program was killed, the call stays in
 * the queue for the next program.
 */
function settle(queue: Order[], { id, isError, result }: Settled): void {
  const place = queue.findIndex((order) => order.id === id);
  const [order] = place < 0 ? [] : queue.splice(place, 1);
  order?.settle(result, isError === true);
}
