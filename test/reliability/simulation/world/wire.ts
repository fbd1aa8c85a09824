import type { Parley } from '@parley/core';
import type { Facts } from './exchange.ts';
import type { Host } from './host.ts';
import { wait } from './messages.ts';
import type { World } from './world.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** The connection of a client, as the host sees it. */
export interface ClientConnection {
  readonly signal: AbortSignal;
  /** Waits `ms` milliseconds of simulated time, for which the body of the request is delayed. */
  pause(ms: number): Promise<void>;
}

export interface Request {
  readonly facts: Facts;
  /** Makes the call on a host. An error is returned as a reply. */
  readonly run: (parley: Parley, connection: ClientConnection) => Promise<Reply>;
}

interface Delivery extends Request {
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** Sends a request to a random host. Returns null if no answer arrives. */
export async function send(world: World, request: Request): Promise<Reply | null> {
  const { faults, prng, timeline } = world;
  const client = new AbortController();
  const { signal } = client;
  if (faults.fires('requestDuplicated')) void deliver(world, { ...request, host: prng.pick(world.hosts), signal });
  if (request.facts.waitSeconds && faults.fires('clientLeaves'))
    timeline.after(prng.between(10, 20_000), () => client.abort());
  const reply = await deliver(world, { ...request, host: prng.pick(world.hosts), signal });
  await timeline.sleep(prng.between(0.5, 20));
  return signal.aborted || faults.fires('answerLost') ? null : reply;
}

async function deliver(world: World, { host, facts, run, signal }: Delivery): Promise<Reply | null> {
  const { timeline, prng, faults, ledger } = world;
  await timeline.sleep(faults.fires('requestDelayed') ? prng.between(100, 5_000) : prng.between(0.5, 20));
  const { process } = host;
  const parley = process?.parley;
  if (!process || !parley) return null;
  const exchange = ledger.begin(process, facts);
  return await new Promise((resolve) => {
    const cutOff = (): void => {
      ledger.cutOff(exchange);
      resolve(null);
    };
    process.pending.add(cutOff);
    void run(parley, { signal, pause: (ms) => wait(world, process, ms) }).then((reply) => {
      if (!process.pending.delete(cutOff)) return;
      ledger.end(exchange, reply);
      resolve(reply);
    });
  });
}
