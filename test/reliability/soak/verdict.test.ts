import { expect, test } from 'vitest';
import { judgeSoak, type QuietSample } from './verdict.ts';

const MEBI = 1024 * 1024;
const flat: QuietSample = {
  ...{ seconds: 0, rssBytes: 200 * MEBI, heapBytes: 60 * MEBI, externalBytes: 4 * MEBI },
  ...{ handles: 15, heldPolls: 0, databaseConnections: 11 },
  caches: [{ cache: 'sessions', entries: 10, bytes: 900, limitBytes: 1_000 }],
};

/** Samples of ten minutes, one every 30 s. `sampleAt` makes sample n. */
const soakOf = (sampleAt: (n: number) => Partial<QuietSample>): QuietSample[] =>
  Array.from({ length: 20 }, (_, n) => ({ ...flat, seconds: 30 * n, ...sampleAt(n) }));

const brokenIn = (samples: readonly QuietSample[]): string[] =>
  judgeSoak(samples).flatMap(({ check, faults }) => (faults.length > 0 ? [check] : []));

test('lets pass what stays, and what fills in the first two minutes', () => {
  expect(brokenIn(soakOf(() => ({})))).toEqual([]);
  expect(brokenIn(soakOf((n) => (n < 4 ? { heapBytes: (20 + 10 * n) * MEBI, handles: 99 } : {})))).toEqual([]);
});

test.each<[string, (n: number) => Partial<QuietSample>]>([
  ['the heap does not grow', (n) => ({ heapBytes: (60 + 0.5 * n) * MEBI })],
  ['buffers beside the heap do not grow', (n) => ({ externalBytes: (4 + 0.1 * n) * MEBI })],
  ['RSS does not grow', (n) => ({ rssBytes: (200 + n) * MEBI })],
  ['handles stay, those to the database aside', (n) => ({ handles: n === 12 ? 18 : 15 })],
  ['no poll is left behind', (n) => ({ heldPolls: n === 12 ? 1 : 0 })],
  ['connections to PostgreSQL stay within the pool', () => ({ handles: 16, databaseConnections: 12 })],
  [
    'caches stay within their sizes, in percent',
    () => ({ caches: [{ cache: 'sessions', entries: 10, bytes: 1_001, limitBytes: 1_000 }] }),
  ],
])('finds that it is not so: %s', (check, sampleAt) => {
  expect(brokenIn(soakOf(sampleAt))).toEqual([check]);
});

test('judges nothing by a few samples', () => {
  expect(brokenIn(soakOf(() => ({})).slice(0, 7))).toEqual(['there is enough to judge']);
});
