import { expect, test } from 'vitest';
import { failure } from './command-line.ts';
import { runSeed } from './run-seed.ts';
import { FAULTS } from './world/faults.ts';

const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 300);

test(`nothing is broken in ${SEEDS} seeds, and every kind of fault happens in 5 % of them`, async () => {
  const seedsWith = new Map<string, number>(Object.keys(FAULTS).map((fault) => [fault, 0]));
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const outcome = await runSeed(seed);
    expect(outcome.violations, failure(outcome)).toEqual([]);
    for (const fault of outcome.faults.keys()) seedsWith.set(fault, (seedsWith.get(fault) ?? 0) + 1);
  }
  const rare = [...seedsWith].filter(([, seeds]) => seeds < SEEDS * 0.05);
  expect(rare).toEqual([]);
});

test('the same seed gives the same trace, byte for byte', async () => {
  for (const seed of [1, 7, 38, 151, 1_234, 99_999]) {
    const first = await runSeed(seed);
    const second = await runSeed(seed);
    expect(second.hash).toBe(first.hash);
    expect(second.trace).toEqual(first.trace);
  }
});

test('another seed gives another trace', async () => {
  const [first, second] = [await runSeed(1), await runSeed(2)];
  expect(second.hash).not.toBe(first.hash);
});
