import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../processes/support/ask.ts';
import type { HostProcess } from '../processes/support/fork-host.ts';
import type { ManySeat } from './many-sessions.ts';
import type { MemorySample } from './verdict.ts';

const LANES = 16;
/**
 * Maximum number of requests between the sample at the start and the next sample. During these requests Node compiles
 * the host's code, which changes the host's memory.
 */
const COMPILED = 500;

interface Touching {
  readonly host: HostProcess;
  readonly seats: readonly ManySeat[];
  /** Number of samples after the sample at the start. */
  readonly samples: number;
  readonly onSample?: (sample: MemorySample) => void;
}

/**
 * Sends `GET state` once in each session, and takes samples of the host in between. Throws at the first answer other
 * than 200.
 */
export async function touchAll({ host, seats, samples, onSample = () => {} }: Touching): Promise<MemorySample[]> {
  const taken: MemorySample[] = [];
  const measure = async (touched: number): Promise<void> => {
    const sample = { touched, ...(await host.footprint()) };
    taken.push(sample);
    onSample(sample);
  };
  const share = Math.ceil(seats.length / samples);
  await measure(0);
  for (let from = 0; from < seats.length; ) {
    const to = from === 0 ? Math.min(share, COMPILED) : from + share;
    await touchSome(host, seats.slice(from, to));
    await measure(Math.min(seats.length, to));
    from = to;
  }
  return taken;
}

const MINUTE_MS = 60_000;

/** Sends one more request after all rate windows of earlier requests have expired, and takes a sample of the host. */
export async function touchLater(host: HostProcess, seats: readonly ManySeat[]): Promise<MemorySample> {
  await pause(MINUTE_MS - (Date.now() % MINUTE_MS) + 100);
  await touchSome(host, seats.slice(-1));
  return { touched: seats.length, ...(await host.footprint()) };
}

async function touchSome(host: HostProcess, seats: readonly ManySeat[]): Promise<void> {
  const queue = seats.values();
  const lane = async (): Promise<void> => {
    for (const seat of queue) {
      const { status, text } = await ask({ host, seat, route: 'GET state' });
      if (status !== 200) throw new Error(`GET state of ${seat.sessionId}: ${status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
