import { createMemoryStorage } from '@parley/core';
import { openParley, type Seats, seat } from '../seats.ts';

const SESSIONS = 1_000;
const KIBI = 1024;
const COLLECTIONS = 4;

/**
 * Measures what a process keeps of each of 1,000 sessions that both agents have read once and that then wait. The
 * storage is not part of it.
 *
 * @returns KiB for a session
 */
export async function measureMemory(): Promise<number> {
  const storage = createMemoryStorage();
  const earlier = await openParley(storage);
  const seated: Seats[] = [];
  for (let count = 0; count < SESSIONS; count += 1) seated.push(await seat(earlier, { created: 20, added: 0 }));
  await earlier.close();
  const parley = await openParley(storage);
  const [first, ...others] = seated;
  // The first read also creates what all sessions share.
  if (first) await readBoth(first);
  const before = await usedBytes();
  for (const seats of others) await readBoth(seats);
  const used = (await usedBytes()) - before;
  await parley.close();
  return used / others.length / KIBI;

  async function readBoth({ tokens }: Seats): Promise<void> {
    for (const token of tokens) await parley.agent(token).call('read_session_state', {});
  }
}

/** Collects garbage more than once: what a first collection finalizes, a later one removes. */
async function usedBytes(): Promise<number> {
  if (!globalThis.gc) throw new Error('The memory is measured with `node --expose-gc`.');
  for (let count = 0; count < COLLECTIONS; count += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
