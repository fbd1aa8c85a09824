import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appended,
  decodeState,
  emptyList,
  emptyMap,
  encodeState,
  entries,
  itemAt,
  lookUp,
  valuesOf,
  withEntry,
} from '../../../src/kernel/log/persistent-collections.ts';
import { shown } from '../support/shown.ts';

const restored = async (value: unknown): Promise<unknown> => {
  const state = decodeState(await encodeState({ value }));
  expect(Object.keys(state)).toEqual(['value']);
  return Reflect.get(state, 'value');
};

const sequenceOf = (items: readonly unknown[]) => items.reduce(appended<unknown>, emptyList<unknown>());
const tableOf = (rows: readonly (readonly [string, unknown])[]) =>
  rows.reduce((table, [key, value]) => withEntry(table, key, value), emptyMap<unknown>());

const { value: anything } = fc.letrec((tie) => ({
  text: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '__proto__', 'items', '0', '$list', '$map', '$', '$$list'),
  ),
  leaf: fc.oneof(
    tie('text'),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0 || 0),
    fc.boolean(),
    fc.constant(null),
  ),
  record: fc.array(fc.tuple(tie('text'), tie('value')), { maxLength: 4 }).map((members) => {
    const record = {};
    for (const [name, value] of members) {
      Object.defineProperty(record, String(name), { value, configurable: true, enumerable: true, writable: true });
    }
    return record;
  }),
  alike: fc.array(
    fc.record({ seq: tie('leaf'), list: fc.array(tie('value'), { maxLength: 2 }) }, { noNullPrototype: true }),
    { maxLength: 5 },
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  same: fc.tuple(tie('value'), fc.nat(4)).map(([value, length]) => Array.from({ length }, () => value)),
  sequence: tie('list').map((items) => sequenceOf(items as unknown[])),
  table: fc
    .array(fc.tuple(tie('text'), tie('value')), { maxLength: 5 })
    .map((rows) => tableOf(rows as [string, unknown][])),
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    tie('leaf'),
    tie('record'),
    tie('alike'),
    tie('list'),
    tie('same'),
    tie('sequence'),
    tie('table'),
  ),
}));

test('a state is decoded to what was encoded', async () => {
  const property = fc.asyncProperty(anything, async (value) => {
    const back = await restored(value);
    expect(shown(back)).toStrictEqual(shown(value));
    expect(await encodeState({ value: back })).toBe(await encodeState({ value }));
  });
  await fc.assert(property, { numRuns: 500 });
});

test('data that looks like a collection, or like the text of one, stays data', async () => {
  const lookalikes = [
    { items: [1, 2, 3], length: 1 },
    { rows: { writes: 0, keys: ['a'], versions: {} }, writes: 0, size: 1 },
    ['$list', [1, 2]],
    ['$map', [['a', 1]]],
    [['$list'], ['$map'], ['$'], ['$$list', []], ['$other']],
    { $list: [1], $map: [['a', 1]], state: {} },
  ];
  for (const value of lookalikes) expect(await restored(value)).toStrictEqual(value);
});

test('collections are tagged arrays, and a text that looks like a tag gets one $ more', async () => {
  const state = {
    list: sequenceOf([1, 'two']),
    map: tableOf([
      ['b', 1],
      ['a', sequenceOf([])],
    ]),
    data: ['$list', [1]],
  };
  expect(await encodeState(state)).toBe(
    '{"state":{"list":["$list",[1,"two"]],"map":["$map",[["b",1],["a",["$list",[]]]]],"data":["$$list",[1]]}}',
  );
});

test('a member that is undefined is left out', async () => {
  const state = { a: undefined, b: { c: undefined, d: 1 } };
  expect(await encodeState(state)).toBe('{"state":{"b":{"d":1}}}');
});

describe('a decoded state', () => {
  test('is the state that was encoded, not a later state that shares its collections', async () => {
    const early = {
      sequence: sequenceOf([1, 2]),
      table: tableOf([
        ['a', 1],
        ['b', 2],
      ]),
    };
    const late = { sequence: appended(early.sequence, 3), table: withEntry(withEntry(early.table, 'a', 9), 'c', 3) };
    expect(shown(await restored(early))).toStrictEqual(shown(early));
    expect(shown(await restored(late))).toStrictEqual(shown(late));
    expect([...entries(late.table)]).toEqual([
      ['a', 9],
      ['b', 2],
      ['c', 3],
    ]);
  });

  test('can be extended like the original, and two writers do not affect each other', async () => {
    const { sequence, table } = decodeState(
      await encodeState({ sequence: sequenceOf([1]), table: tableOf([['a', 1]]) }),
    ) as { sequence: ReturnType<typeof sequenceOf>; table: ReturnType<typeof tableOf> };
    const [first, second] = [appended(sequence, 2), appended(sequence, 20)];
    expect([itemAt(sequence, 1), itemAt(first, 1), itemAt(second, 1)]).toEqual([undefined, 2, 20]);
    const [one, other] = [withEntry(table, 'a', 2), withEntry(table, 'b', 3)];
    expect([table, one, other].map((each) => valuesOf(each))).toEqual([[1], [2], [1, 3]]);
    expect(lookUp(other, 'b')).toBe(3);
  });

  test('shares nothing that can grow between two collections', async () => {
    const { lists } = decodeState(await encodeState({ lists: [emptyList(), emptyList()] })) as {
      lists: [ReturnType<typeof sequenceOf>, ReturnType<typeof sequenceOf>];
    };
    const [grown] = lists.map((list) => appended(list, 1));
    expect([grown, ...lists].map((list) => list?.length)).toEqual([1, 0, 0]);
  });
});

test.each<[string, unknown]>([
  ['a date', new Date(0)],
  ['a map', new Map([['a', 1]])],
  ['a set', new Set([1])],
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['a big number', 1n],
  ['NaN', Number.NaN],
  ['an infinite number', Number.POSITIVE_INFINITY],
  ['a negative zero', -0],
  ['an undefined item of a list', undefined],
  ['an object of a class', new Error('a')],
])('%s is refused, because it would be decoded as another value', async (_what, value) => {
  await expect(encodeState({ list: [value, value] })).rejects.toThrow(TypeError);
});

test.each(['', 'null', '[]', '{"shapes":[],"members":{}}', '{"state":[]}', '{"state":{}'])(
  'the text %j is refused',
  (text) => {
    expect(() => decodeState(text)).toThrow();
  },
);

test('a state is written in as many iterations of the event loop as it has members', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await encodeState({ a: 1, b: 2, c: 3 });
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(3);
});
