import { describe, expect, test } from 'vitest';
import { loadMutant } from './mutants/load-mutant.ts';
import { SOURCE_MUTANTS } from './mutants/source-mutants.ts';
import { STORAGE_MUTANTS } from './mutants/storage-mutants.ts';
import { runSeed } from './run-seed.ts';
import type { Plant } from './world/world.ts';

/** The rarest mistake takes some hundred; which ones show it changes with every change of the product. */
const MOST_SEEDS = 1_500;

/** How many seeds it takes until one is broken, and what is broken then. */
async function seedsUntilCaught(run: typeof runSeed, plant?: Plant): Promise<{ seeds: number; violation?: string }> {
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const [violation] = (await run(seed, plant)).violations;
    if (violation !== undefined) return { seeds: seed, violation };
  }
  return { seeds: MOST_SEEDS };
}

function expectCaught(name: string, { seeds, violation }: { seeds: number; violation?: string }): void {
  console.log(`${name}: caught by seed ${seeds}: ${violation?.slice(0, 160)}`);
  expect(violation).toBeDefined();
}

describe(`is caught within ${MOST_SEEDS} seeds:`, () => {
  test.each(Object.entries(STORAGE_MUTANTS))(
    '%s',
    async (name, plant) => {
      expectCaught(name, await seedsUntilCaught(runSeed, plant));
    },
    300_000,
  );

  test.each(Object.entries(SOURCE_MUTANTS))(
    '%s',
    async (name, changes) => {
      const mutant = await loadMutant(changes);
      expectCaught(name, await seedsUntilCaught(mutant.runSeed));
      await mutant.close();
    },
    300_000,
  );
});

test('a mutant that does not fit the source any more is an error', async () => {
  const change = { file: 'kernel/reads.ts', find: 'no such text', by: '' };
  await expect(loadMutant([change])).rejects.toThrow('holds 0 times');
});
