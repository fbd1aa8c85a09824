import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appended,
  emptyList,
  emptyMap,
  entries,
  itemAt,
  keysOf,
  lookUp,
  lowerBound,
  type PersistentList,
  type PersistentMap,
  valuesOf,
  withEntry,
  withoutEntry,
} from '../../../src/kernel/log/persistent-collections.ts';

const listOf = <T>(sequence: PersistentList<T>): (T | undefined)[] =>
  Array.from({ length: sequence.length }, (_, index) => itemAt(sequence, index));
const filled = (...items: number[]): PersistentList<number> => items.reduce(appended<number>, emptyList());

describe('a persistent list', () => {
  test('keeps the earlier items in an older state', () => {
    const one = filled(1);
    const two = appended(one, 2);
    expect([listOf(emptyList()), listOf(one), listOf(two)]).toEqual([[], [1], [1, 2]]);
    expect([itemAt(one, 1), itemAt(one, -1), itemAt(two, 2)]).toEqual([undefined, undefined, undefined]);
  });

  test('a second writer on an older state does not change the first', () => {
    const base = filled(1, 2);
    const first = appended(base, 3);
    const second = appended(base, 30);
    const later = appended(second, 40);
    expect([base, first, second, later].map(listOf)).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 30],
      [1, 2, 30, 40],
    ]);
    expect(listOf(appended(first, 4))).toEqual([1, 2, 3, 4]);
  });

  test('adding to the newest state copies nothing', () => {
    const base = filled(1, 2);
    expect(appended(base, 3).items).toBe(base.items);
  });

  test('finds the first item after a bound, only among its own items', () => {
    const base = filled(10, 20, 30);
    appended(base, 40);
    const firstOver = (bound: number): number => lowerBound(base, (item) => item > bound);
    expect([5, 10, 25, 30, 99].map(firstOver)).toEqual([0, 1, 2, 3, 3]);
    expect(lowerBound(emptyList(), () => true)).toBe(0);
  });
});

describe('a persistent map', () => {
  const pairs = <V>(table: PersistentMap<V>) => [...entries(table)];

  test('keeps the order of first writes and the latest values', () => {
    const table = withEntry(withEntry(withEntry(emptyMap<number>(), 'b', 1), 'a', 2), 'b', 3);
    expect(pairs(table)).toEqual([
      ['b', 3],
      ['a', 2],
    ]);
    expect([table.size, lookUp(table, 'b'), lookUp(table, 'c'), valuesOf(table)]).toEqual([2, 3, undefined, [3, 2]]);
  });

  test('an older state contains neither later values nor later keys', () => {
    const old = withEntry(emptyMap<number>(), 'a', 1);
    const young = withEntry(withEntry(old, 'a', 2), 'b', 3);
    expect([pairs(old), pairs(young)]).toEqual([
      [['a', 1]],
      [
        ['a', 2],
        ['b', 3],
      ],
    ]);
    expect(lookUp(old, 'b')).toBeUndefined();
  });

  test('a fork of an older state does not change the first', () => {
    const base = withEntry(emptyMap<number>(), 'a', 1);
    const left = withEntry(base, 'b', 2);
    const right = withEntry(withEntry(base, 'a', 9), 'c', 3);
    const leftAgain = withEntry(left, 'c', 4);
    expect(pairs(base)).toEqual([['a', 1]]);
    expect(pairs(left)).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(pairs(right)).toEqual([
      ['a', 9],
      ['c', 3],
    ]);
    expect(pairs(leftAgain)).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 4],
    ]);
  });

  test('a removed key is in the older map only', () => {
    const full = withEntry(withEntry(withEntry(emptyMap<number>(), 'a', 1), 'b', 2), 'c', 3);
    const less = withoutEntry(full, 'b');
    expect([keysOf(full), full.size, lookUp(full, 'b')]).toEqual([['a', 'b', 'c'], 3, 2]);
    expect([pairs(less), less.size, lookUp(less, 'b'), valuesOf(less)]).toEqual([
      [
        ['a', 1],
        ['c', 3],
      ],
      2,
      undefined,
      [1, 3],
    ]);
  });

  test('a key that is added again after its removal comes last', () => {
    const full = withEntry(withEntry(emptyMap<number>(), 'a', 1), 'b', 2);
    const again = withEntry(withoutEntry(full, 'a'), 'a', 3);
    expect([keysOf(full), keysOf(again), again.size]).toEqual([['a', 'b'], ['b', 'a'], 2]);
  });

  test('removing an unknown key gives the same map', () => {
    const one = withEntry(emptyMap<number>(), 'a', 1);
    expect(withoutEntry(one, 'b')).toBe(one);
    expect(withoutEntry(withoutEntry(one, 'a'), 'a')).toMatchObject({ size: 0 });
  });

  test('removing 1,000 keys one by one copies fewer than 1,000 entries in all', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}`);
    let map = keys.reduce((all, key) => withEntry(all, key, 1), emptyMap<number>());
    const copied: number[] = [];
    for (const key of keys) {
      const { held } = map;
      map = withoutEntry(map, key);
      if (map.held !== held) copied.push(map.size);
    }
    expect([map.size, copied]).toEqual([0, [498, 247, 122, 59, 28, 12, 4, 0]]);
  });

  test.each(['__proto__', 'constructor', '', 'a b'])('accepts %j as a key', (key) => {
    const table = withEntry(emptyMap<number>(), key, 1);
    expect([lookUp(table, key), lookUp(emptyMap(), key), pairs(table)]).toEqual([1, undefined, [[key, 1]]]);
    expect(pairs(withoutEntry(table, key))).toEqual([]);
  });
});

/** Every object reachable from a value. */
function reachable(from: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof from !== 'object' || from === null || found.has(from)) return found;
  found.add(from);
  const inner = from instanceof Map ? [...from.values()] : Reflect.ownKeys(from).map((key) => Reflect.get(from, key));
  for (const value of inner) reachable(value, found);
  return found;
}

describe('what a persistent map keeps in memory', () => {
  const [first, second] = [{ position: 'first' }, { position: 'second' }];

  test('a replaced value belongs to the older map alone', () => {
    const old = withEntry(emptyMap<typeof first>(), 'a', first);
    const young = withEntry(old, 'a', second);
    expect([reachable(young).has(second), reachable(young).has(first)]).toEqual([true, false]);
    expect(lookUp(old, 'a')).toBe(first);
  });

  test('a removed value belongs to the older map alone', () => {
    const old = withEntry(emptyMap<typeof first>(), 'a', first);
    const young = withoutEntry(old, 'a');
    expect(reachable(young).has(first)).toBe(false);
    expect(lookUp(old, 'a')).toBe(first);
  });

  test('the shared empty map keeps no reference to later maps', () => {
    const empty = emptyMap<typeof first>();
    withEntry(empty, 'a', first);
    expect(reachable(empty).has(first)).toBe(false);
    expect([empty.size, entries(empty)]).toEqual([0, []]);
  });
});

/** Steps for the test of lists. Each step appends the last number to the list that the first number selects. */
const steps = fc.array(fc.tuple(fc.nat(1_000), fc.constantFrom('a', 'b', 'c', '__proto__'), fc.integer()), {
  maxLength: 40,
});

/**
 * Changes for the test of maps. Each change sets the key in an earlier map, or removes the key if the value is
 * undefined.
 */
const changes = fc.array(
  fc.tuple(
    fc.oneof(fc.constant('newest' as const), fc.nat(1_000)),
    fc.constantFrom('a', 'b', 'c', '__proto__'),
    fc.option(fc.integer(), { nil: undefined }),
  ),
  { maxLength: 40 },
);

function changedPlain(plain: ReadonlyMap<string, number>, key: string, value: number | undefined): Map<string, number> {
  const copy = new Map(plain);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

test('any tree of states equals plain maps', () => {
  fc.assert(
    fc.property(changes, (writes) => {
      const states: { table: PersistentMap<number>; plain: Map<string, number> }[] = [
        { table: emptyMap(), plain: new Map() },
      ];
      for (const [pick, key, value] of writes) {
        const from = states.at(pick === 'newest' ? -1 : pick % states.length);
        if (!from) continue;
        const table = value === undefined ? withoutEntry(from.table, key) : withEntry(from.table, key, value);
        states.push({ table, plain: changedPlain(from.plain, key, value) });
      }
      for (const { table, plain } of states) {
        expect([...entries(table)]).toEqual([...plain]);
        expect(valuesOf(table)).toEqual([...plain.values()]);
        expect(table.size).toBe(plain.size);
        for (const key of ['a', 'b', 'c', '__proto__']) expect(lookUp(table, key)).toBe(plain.get(key));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('any tree of states equals plain arrays', () => {
  fc.assert(
    fc.property(steps, (writes) => {
      const states: { sequence: PersistentList<number>; plain: number[] }[] = [{ sequence: emptyList(), plain: [] }];
      for (const [pick, , value] of writes) {
        const from = states[pick % states.length] ?? states[0];
        if (from) states.push({ sequence: appended(from.sequence, value), plain: [...from.plain, value] });
      }
      for (const { sequence, plain } of states) expect(listOf(sequence)).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});
