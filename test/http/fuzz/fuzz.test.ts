import { describe, expect, test } from 'vitest';
import { STORES } from '../../scenarios/support/stores.ts';
import { fuzzBytes } from './bytes.ts';
import { fuzzCalls } from './calls.ts';
import { createTally, type Tally } from './support/tally.ts';
import { openWorld, type World } from './support/world.ts';

const FIXED_SEEDS = [20_261_121, 1_136_441_943];
const seedFrom = (text: string): number => (text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text));
const given = process.env.FUZZ_SEED;
const total = Number(process.env.FUZZ_REQUESTS ?? 2_000);

/**
 * Shares of the requests. `calls`: calls on the memory storage, and on one database, which gets few calls, enough to
 * cause the refusals that only databases cause. `bytes`: requests with changed bytes, on the memory storage only.
 */
const SHARES = { calls: { memory: 0.65, PGlite: 0.15, PostgreSQL: 0.15 }, bytes: 0.2 };
const [memory, ...databases] = STORES;
const stores = [memory, databases.at(-1)].filter((store) => store !== undefined);

const seeds = given === undefined ? FIXED_SEEDS : [seedFrom(given)];

describe.each(stores)('on $name', ({ name, open }) => {
  const requests = Math.ceil((total * SHARES.calls[name]) / seeds.length);

  async function inWorld(work: (world: World, tally: Tally) => Promise<void>): Promise<void> {
    const store = await open();
    const storage = await store.connect();
    const world = await openWorld(storage);
    const tally = createTally();
    try {
      await work(world, tally);
      await world.close();
    } finally {
      console.log([`${name}:`, ...tally.lines()].join('\n  '));
      await storage.close();
      await store.remove();
    }
  }

  test.each(seeds)('every call is answered as the interface says: seed %i', async (seed) => {
    await inWorld((world, tally) => fuzzCalls(world, tally, { requests, seed }));
  });

  test.runIf(name === 'memory').each(seeds)('no bytes break it: seed %i', async (seed) => {
    await inWorld(async ({ service }, tally) => {
      const heads = await service.heads();
      await fuzzBytes(service, tally, { requests: Math.ceil((total * SHARES.bytes) / seeds.length), seed });
      expect(await service.heads()).toEqual(heads);
    });
  });
});
