import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logFaults } from './invariants/log.ts';
import { commands, type Run, startFrom } from './run.ts';
import { planning, STARTS, TIGHT } from './starting-states.ts';

/**
 * `MODEL_RUNS=50000` sets the number of sequences of calls; `MODEL_SEED=random` takes a new seed. A failure prints
 * values of `MODEL_SEED`, `MODEL_PATH` and `MODEL_REPLAY` that repeat the failed sequence. `MODEL_TALLY=1` prints how
 * often each call had each outcome.
 */
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY, MODEL_TALLY } = process.env;
const FIXED_SEEDS = [20_261_121, 1_136_441_943];
const seedFrom = (text: string): number => (text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text));
const runs = Number(MODEL_RUNS ?? 2_000);
const seeds = MODEL_SEED === undefined ? FIXED_SEEDS : [seedFrom(MODEL_SEED)];
const MAX_COMMANDS = 20;

describe('any sequence of calls', () => {
  const tally = new Map<string, number>();
  const stories = { ...STARTS, ...TIGHT };
  const opened = new Map(Object.entries(stories).map(([name, story]) => [name, startFrom(story)]));
  const restart = (name: string): Run => {
    const start = opened.get(name) ?? startFrom(planning);
    return { ...start, calls: [], tally };
  };

  test.each(seeds)('keeps every promise of the protocol: seed %i', async (seed) => {
    const property = fc.asyncProperty(
      fc.constantFrom(...Object.keys(stories)),
      commands(MAX_COMMANDS, MODEL_REPLAY),
      async (name, sequence) => {
        const run = restart(name);
        fc.modelRun(() => ({ model: run, real: run }), sequence);
        // Checks the logs of about half of the sequences, because folding a log again takes as long as several calls.
        if (run.calls.length % 2 === 0) expect(await logFaults(run.world, run.now)).toEqual([]);
      },
    );
    const path = MODEL_PATH === undefined ? {} : { path: MODEL_PATH };
    await fc.assert(property, { seed, numRuns: Math.ceil(runs / seeds.length), ...path });
    if (MODEL_TALLY)
      console.log(
        [...tally]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map((entry) => entry.join(': '))
          .join('\n'),
      );
  });
});
