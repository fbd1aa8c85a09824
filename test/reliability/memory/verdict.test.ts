import { expect, test } from 'vitest';
import { judgeMemory, judgeRest, type MemorySample } from './verdict.ts';

const MEBI = 1024 * 1024;
const LIMIT = 10 * MEBI;

/** A sample of a host whose cache is full after 1,000 sessions. Each further session evicts another. */
function sampleAt(touched: number, more: Partial<MemorySample> = {}): MemorySample {
  const bytes = Math.min(LIMIT, (touched * LIMIT) / 1_000);
  return {
    ...{ touched, rssBytes: 100 * MEBI, heapBytes: 20 * MEBI + bytes, externalBytes: 2 * MEBI },
    ...{ handles: touched === 0 ? 3 : 30, heldPolls: 0 },
    caches: [{ cache: 'sessions', entries: Math.min(touched, 1_000), bytes, limitBytes: LIMIT }],
    ...more,
  };
}

const brokenIn = (...last: MemorySample[]): string[] =>
  judgeMemory([...[0, 400, 800, 1_000, 2_000].map((touched) => sampleAt(touched)), ...last], 4).flatMap(
    ({ check, faults }) => (faults.length > 0 ? [check] : []),
  );

test('accepts a process whose caches shrink', () => {
  expect(brokenIn(sampleAt(4_000), sampleAt(8_000))).toEqual([]);
});

test('finds memory that grows with the sessions', () => {
  const grown = sampleAt(8_000, { heapBytes: 35 * MEBI });
  expect(brokenIn(grown)).toEqual(['memory does not grow once the cache is full']);
  expect(brokenIn(sampleAt(8_000, { externalBytes: 7 * MEBI }))).toEqual([
    'memory does not grow once the cache is full',
  ]);
});

test('finds a cache that holds more than it may', () => {
  const caches = [{ cache: 'sessions' as const, entries: 1_001, bytes: LIMIT + 1, limitBytes: LIMIT }];
  expect(brokenIn(sampleAt(8_000, { caches }))).toEqual(['no cache holds more than it may']);
});

test('finds handles and polls that are left', () => {
  expect(brokenIn(sampleAt(8_000, { handles: 31 }))).toEqual(['nothing is left behind']);
  expect(brokenIn(sampleAt(8_000, { heldPolls: 1 }))).toEqual(['nothing is left behind']);
});

test('judges nothing where the cache was never full', () => {
  const samples = [0, 100, 200].map((touched) => sampleAt(touched));
  expect(judgeMemory(samples, 4)[0]?.faults).toEqual(['200 of 200 sessions are still held']);
});

test('finds a cache that counts less than it holds', () => {
  const heavy = (touched: number) =>
    sampleAt(touched, { heapBytes: 20 * MEBI + (13 * MEBI * Math.min(touched, 1_000)) / 1_000 });
  const found = judgeMemory([0, 400, 800, 1_000, 4_000].map(heavy), 4).filter(({ faults }) => faults.length > 0);
  expect(found.map(({ check, faults }) => [check, faults])).toEqual([
    ['caches count what they hold', ['1.30 bytes of heap for each that is counted']],
  ]);
});

test('does not compare a sample at which the cache was full', () => {
  const found = judgeMemory(
    [0, 500, 1_000, 4_000].map((touched) => sampleAt(touched)),
    4,
  );
  expect(found.flatMap(({ faults }) => faults)).toEqual(['the cache was full before the second sample']);
});

test('finds counters that outlive their minute', () => {
  const samples = [0, 400, 800, 1_000, 2_000].map((touched) => sampleAt(touched));
  expect(judgeRest(samples, sampleAt(2_000)).faults).toEqual([]);
  expect(judgeRest(samples, sampleAt(2_000, { heapBytes: 43 * MEBI })).faults).toEqual([
    '13.0 MiB are left where 12 are allowed',
  ]);
});
