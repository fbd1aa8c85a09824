import { describe, expect, test, vi } from 'vitest';
import type { Bench, Figure, Figures, Prepared, Surroundings } from '../src/bench.ts';
import { measure, meetsTarget } from '../src/results/rounds.ts';

const RUN: Surroundings = {
  rounds: 3,
  seconds: 0,
  samples: 0,
  isQuick: true,
  openDatabase: async () => 'postgres://127.0.0.1/none',
};
const RATE: Figure = { name: 'requests', unit: '/s', ratio: { atLeast: 1.5 } };

/** Returns a function for the rounds of a bench. Its n-th call returns the n-th of `values` as the measured value. */
const saying =
  (values: number[], name = 'requests') =>
  async (): Promise<Figures> => ({ [name]: values.shift() ?? Number.NaN });

const measured = async (figures: readonly Figure[], prepared: Prepared) => {
  const all = await measure({ name: 'b', ours: '', floor: '', figures, prepare: async () => prepared }, RUN);
  return all.map((one) => ({ ...one, meetsTarget: meetsTarget(one) }));
};

test('the first round of each side does not count', async () => {
  const [figure] = await measured([RATE], {
    floors: { '': saying([1, 10, 20, 40]) },
    ours: { '': saying([999, 30, 40, 60]) },
  });
  expect(figure).toMatchObject({ ours: 40, floor: 20, ratio: { median: 2, min: 1.5, max: 3 } });
});

test('the first round counts where each begins anew', async () => {
  const [figure] = await measured([RATE], {
    floors: { '': saying([10, 20, 40]) },
    ours: { '': saying([30, 40, 60]) },
    needsNoWarmUp: true,
  });
  expect(figure).toMatchObject({ ours: 40, floor: 20, ratio: { median: 2, min: 1.5, max: 3 } });
});

test('the ratio is the median of the ratios of the rounds, with the smallest and the largest', async () => {
  const [figure] = await measured([RATE], {
    floors: { '': saying([1, 10, 100, 10]) },
    ours: { '': saying([1, 30, 100, 20]) },
  });
  expect(figure?.ratio).toEqual({ median: 2, min: 1, max: 3 });
  expect(figure).toMatchObject({ ours: 30, floor: 10, meetsTarget: true });
});

test('who goes first changes with every round', async () => {
  const order: string[] = [];
  const side = (name: string) => async (): Promise<Figures> => {
    order.push(name);
    return { requests: 1 };
  };
  await measured([RATE], { floors: { '': side('floor') }, ours: { one: side('one'), two: side('two') } });
  const [forth, back] = [
    ['floor', 'one', 'two'],
    ['two', 'one', 'floor'],
  ];
  expect(order).toEqual([forth, back, forth, back].flat());
});

test('each case stands beside the same floor', async () => {
  const cases = await measured([RATE], {
    floors: { '': saying([1, 10, 10, 10]) },
    ours: { few: saying([1, 10, 10, 10]), many: saying([1, 20, 20, 20]) },
  });
  expect(cases.map(({ case: name, ratio, meetsTarget }) => [name, ratio.median, meetsTarget])).toEqual([
    ['few', 1, false],
    ['many', 2, true],
  ]);
});

test('a figure stands beside the floor it names', async () => {
  const figures = [
    { ...RATE, beside: 'old' },
    { ...RATE, beside: 'new' },
  ];
  const both = await measured(figures, {
    floors: { old: saying([1, 10, 10, 10]), new: saying([1, 20, 20, 20]) },
    ours: { '': saying([1, 30, 30, 30]) },
  });
  expect(both.map(({ ratio }) => ratio.median)).toEqual([3, 1.5]);
});

test('the figures beside a peer that this machine cannot run are left out, and the reason is printed', async () => {
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  const figures = await measured([{ ...RATE, beside: 'nchan' }, RATE], {
    floors: { '': saying([1, 10, 10, 10]) },
    ours: { '': saying([1, 30, 30, 30]) },
    leftOut: { nchan: 'It is not installed.' },
  });
  expect(figures.map(({ figure, ratio }) => [figure.beside, ratio.median])).toEqual([[undefined, 3]]);
  expect(printed.mock.calls).toEqual([['\nb: nchan is left out: It is not installed.']]);
});

test.each([
  ['is met below it, whatever the ratio', 20, true],
  ['is missed above it, whatever the ratio', 20.1, false],
])('a limit %s', async (_, ours, meetsTarget) => {
  const figure: Figure = { name: 'p50', unit: 'ms', limit: { atMost: 20 } };
  const [result] = await measured([figure], {
    floors: { '': saying([1, 4, 4, 4], 'p50') },
    ours: { '': saying([1, ours, ours, ours], 'p50') },
  });
  expect(result?.meetsTarget).toBe(meetsTarget);
});

test.each([
  ['both hold', 40, true],
  ['the ratio does not', 60, false],
  ['the limit does not', 45, false],
])('of a ratio and a limit together: %s', async (_, ours, meetsTarget) => {
  const limit = { atMost: ours === 45 ? 44 : 100 };
  const figure: Figure = { name: 'memory', unit: 'MB', ratio: { atMost: 2 }, limit };
  const [result] = await measured([figure], {
    floors: { '': saying([1, 25, 25, 25], 'memory') },
    ours: { '': saying([1, ours, ours, ours], 'memory') },
  });
  expect(result?.meetsTarget).toBe(meetsTarget);
});

test('a figure without a target is neither met nor missed', async () => {
  const [result] = await measured([{ name: 'requests', unit: '/s' }], {
    floors: { '': saying([1, 1, 1, 1]) },
    ours: { '': saying([1, 1, 1, 1]) },
  });
  expect(result?.meetsTarget).toBeUndefined();
});

describe('a bench that ends', () => {
  const prepared = { floors: { '': saying([1, 1, 1, 1]) }, ours: { '': saying([1, 1, 1, 1], 'p95') } };

  /** A bench that registers two clean-ups and then calls `then`. */
  const cleaning = (then: () => Promise<Prepared>) => {
    const cleaned: string[] = [];
    const bench: Bench = {
      name: 'b',
      ours: '',
      floor: '',
      figures: [RATE],
      prepare({ defer }) {
        defer(() => cleaned.push('first'));
        defer(async () => cleaned.push('second'));
        return then();
      },
    };
    return { bench, cleaned };
  };

  test('with a round that lacks a figure cleans up, the last first', async () => {
    const { bench, cleaned } = cleaning(async () => prepared);
    await expect(measure(bench, RUN)).rejects.toThrow('A round lacks the figure "requests".');
    expect(cleaned).toEqual(['second', 'first']);
  });

  test('while it prepares cleans up too', async () => {
    const { bench, cleaned } = cleaning(() => Promise.reject(new Error('No session was seated.')));
    await expect(measure(bench, RUN)).rejects.toThrow('No session was seated.');
    expect(cleaned).toEqual(['second', 'first']);
  });

  test('because it is interrupted cleans up, whatever it waits for', async () => {
    const { bench, cleaned } = cleaning(() => new Promise(() => {}));
    const interrupted = Promise.reject(new Error('The run was ended by SIGINT.'));
    await expect(measure(bench, RUN, interrupted)).rejects.toThrow('The run was ended by SIGINT.');
    expect(cleaned).toEqual(['second', 'first']);
  });
});
