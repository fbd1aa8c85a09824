import fc from 'fast-check';
import rfc6902 from 'rfc6902';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { applyPatch, type PatchOp, PatchOps } from '../../src/areas/document/patch.ts';
import { ParleyError } from '../../src/kernel/errors.ts';
import { coerceInput } from '../../src/kernel/operation/arguments.ts';
import { publishedSchema } from '../../src/kernel/operation/json-schema.ts';

const add = (path: string, value: unknown): PatchOp => ({ op: 'add', path, value });
const replace = (path: string, value: unknown): PatchOp => ({ op: 'replace', path, value });
const remove = (path: string): PatchOp => ({ op: 'remove', path });

function failureOf(document: unknown, ops: readonly PatchOp[]): ParleyError {
  try {
    applyPatch(document, ops);
  } catch (error) {
    if (error instanceof ParleyError) return error;
    throw error;
  }
  throw new Error('The patch did not fail.');
}

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
};

describe('applyPatch, in the examples of RFC 6902 appendix A,', () => {
  test.each<[string, unknown, PatchOp[], unknown]>([
    ['A.1 adds an object member', { foo: 'bar' }, [add('/baz', 'qux')], { baz: 'qux', foo: 'bar' }],
    ['A.2 adds an array element', { foo: ['bar', 'baz'] }, [add('/foo/1', 'qux')], { foo: ['bar', 'qux', 'baz'] }],
    ['A.3 removes an object member', { baz: 'qux', foo: 'bar' }, [remove('/baz')], { foo: 'bar' }],
    ['A.4 removes an array element', { foo: ['bar', 'qux', 'baz'] }, [remove('/foo/1')], { foo: ['bar', 'baz'] }],
    ['A.5 replaces a value', { baz: 'qux', foo: 'bar' }, [replace('/baz', 'boo')], { baz: 'boo', foo: 'bar' }],
    [
      'A.10 adds a nested member',
      { foo: 'bar' },
      [add('/child', { grandchild: {} })],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    ['A.16 adds an array value', { foo: ['bar'] }, [add('/foo/-', ['abc', 'def'])], { foo: ['bar', ['abc', 'def']] }],
  ])('%s', (_case, document, ops, result) => {
    expect(applyPatch(document, ops)).toEqual(result);
  });

  test('A.12 refuses a target that does not exist', () => {
    expect(failureOf({ foo: 'bar' }, [add('/baz/bat', 'qux')]).body()).toMatchObject({
      error: 'PATCH_FAILED',
      op_index: 0,
      path: '/baz/bat',
    });
  });
});

test('A.11 of RFC 6902: a member that is not defined for the operation is ignored', () => {
  const [op] = PatchOps.parse([{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }]);
  expect(op).toEqual({ op: 'add', path: '/baz', value: 'qux' });
  expect(applyPatch({ foo: 'bar' }, op ? [op] : [])).toEqual({ foo: 'bar', baz: 'qux' });
});

describe('applyPatch', () => {
  test.each<[string, unknown, PatchOp[], unknown]>([
    ['accepts an empty list of operations', { a: 1 }, [], { a: 1 }],
    ['replaces an existing member by add', { a: 1 }, [add('/a', [2])], { a: [2] }],
    ['keeps the place of a replaced member', { a: 1, b: 2 }, [replace('/a', 3)], { a: 3, b: 2 }],
    ['adds null and replaces a value by null', { a: 1 }, [add('/b', null), replace('/a', null)], { a: null, b: null }],
    [
      'removes and replaces a member whose value is null',
      { a: null, b: null },
      [remove('/a'), replace('/b', 0)],
      { b: 0 },
    ],
    [
      'adds false, 0 and the empty string',
      {},
      [add('/a', false), add('/b', 0), add('/c', '')],
      { a: false, b: 0, c: '' },
    ],
    ['replaces the whole document', { a: 1 }, [replace('', { b: 2 })], { b: 2 }],
    ['adds the whole document', { a: 1 }, [add('', { b: 2 })], { b: 2 }],
    ['applies later operations to a replaced document', {}, [add('', { b: [] }), add('/b/-', 1)], { b: [1] }],
    ['accepts an empty name', { '': 1 }, [replace('/', 2)], { '': 2 }],
    ['accepts empty names inside each other', { '': { '': 1 } }, [replace('//', 2)], { '': { '': 2 } }],
    ['reads ~1 as a slash', { 'a/b': 1 }, [replace('/a~1b', 2)], { 'a/b': 2 }],
    ['reads ~0 as a tilde', { 'm~n': 1 }, [replace('/m~0n', 2)], { 'm~n': 2 }],
    ['reads ~01 as ~1', { '~1': 1, '/': 1 }, [replace('/~01', 2)], { '~1': 2, '/': 1 }],
    [
      'accepts names of every kind',
      {},
      [add('/ ', 1), add('/é😀', 2), add('/%25', 3), add('/"\\', 4)],
      { ' ': 1, 'é😀': 2, '%25': 3, '"\\': 4 },
    ],
    [
      'distinguishes composed from decomposed letters',
      { 'e\u0301': 1 },
      [add('/\u00e9', 2)],
      { 'e\u0301': 1, '\u00e9': 2 },
    ],
    [
      'accepts numbers as names in an object',
      { 0: 'a', 10: 'b' },
      [replace('/0', 1), remove('/10'), add('/01', 2)],
      { 0: 1, '01': 2 },
    ],
    ['accepts "-" as a name in an object', {}, [add('/-', 1), replace('/-', 2)], { '-': 2 }],
    ['accepts "length" as a name in an object', { length: 1 }, [replace('/length', 2)], { length: 2 }],
    ['adds into an empty array', { a: [] }, [add('/a/0', 1)], { a: [1] }],
    ['adds at the front', { a: [1] }, [add('/a/0', 0)], { a: [0, 1] }],
    ['adds at the index after the last element', { a: [1] }, [add('/a/1', 2)], { a: [1, 2] }],
    ['adds at "-"', { a: [1] }, [add('/a/-', 2), add('/a/-', 3)], { a: [1, 2, 3] }],
    ['patches an array as a whole', [1, 2], [add('/0', 0), remove('/2'), replace('/1', [])], [0, []]],
    ['follows a path through nested arrays', [[[1]]], [add('/0/0/1', 2), replace('/0/0/0', 0)], [[[0, 2]]]],
    ['removes the last element', { a: [1] }, [remove('/a/0')], { a: [] }],
    [
      'uses the indices that the operation before has left',
      { a: [1, 2, 3] },
      [remove('/a/0'), remove('/a/0')],
      { a: [3] },
    ],
    [
      'adds inside a value that it added before',
      {},
      [add('/a', {}), add('/a/b', []), add('/a/b/-', { c: 1 }), add('/a/b/0/d', 2)],
      { a: { b: [{ c: 1, d: 2 }] } },
    ],
    ['adds a member again that it removed before', { a: 1, b: 2 }, [remove('/a'), add('/a', 3)], { a: 3, b: 2 }],
    [
      'accepts a place 64 levels down',
      JSON.parse('['.repeat(64) + ']'.repeat(64)),
      [add('/0'.repeat(63).concat('/-'), 1)],
      JSON.parse(`${'['.repeat(64)}1${']'.repeat(64)}`),
    ],
  ])('%s', (_case, document, ops, result) => {
    expect(applyPatch(document, ops)).toEqual(result);
  });

  test.each<[string, unknown, PatchOp]>([
    ['a path without a slash', { a: 1 }, replace('a', 2)],
    ['a path that is a fragment', { a: 1 }, replace('#/a', 2)],
    ['a tilde before another character', { '~2': 1 }, replace('/~2', 2)],
    ['a tilde at the end', { '~': 1 }, replace('/~', 2)],
    ['a tilde before a slash', { '~': { a: 1 } }, replace('/~/a', 2)],
    ['two tildes', { '~~': 1 }, replace('/~~0', 2)],
    ['a bad escape in a part before the last one', { a: { b: 1 } }, remove('/a~/b')],
    ['removing the whole document', { a: 1 }, remove('')],
    ['removing a missing member', { a: 1 }, remove('/b')],
    ['replacing a missing member', { a: 1 }, replace('/b', 1)],
    ['adding below a missing member', { a: 1 }, add('/b/c', 1)],
    ['adding below a string', { a: 'text' }, add('/a/0', 1)],
    ['adding below a number', { a: 1 }, add('/a/b', 1)],
    ['adding below null', { a: null }, add('/a/b', 1)],
    ['the length of a string', { a: 'text' }, replace('/a/length', 1)],
    ['anything below a document that is a string', 'text', replace('/0', 1)],
    ['adding without a value', {}, { op: 'add', path: '/a' }],
    ['replacing without a value', { a: 1 }, { op: 'replace', path: '/a' }],
    ['replacing the document without a value', { a: 1 }, { op: 'replace', path: '' }],
    ['adding beyond the end', { a: [1] }, add('/a/2', 1)],
    ['replacing at the end', { a: [1] }, replace('/a/1', 1)],
    ['removing at the end', { a: [1] }, remove('/a/1')],
    ['removing from an empty array', { a: [] }, remove('/a/0')],
    ['replacing at "-"', { a: [1] }, replace('/a/-', 1)],
    ['removing at "-"', { a: [1] }, remove('/a/-')],
    ['going through "-"', { a: [{}] }, add('/a/-/b', 1)],
    ['going through an index at the end', { a: [{}] }, add('/a/1/b', 1)],
    ['an empty index', { a: [1] }, add('/a/', 1)],
    ['a path 65 levels down', JSON.parse('['.repeat(64) + ']'.repeat(64)), add('/0'.repeat(65), 1)],
  ])('refuses %s', (_case, document, op) => {
    expect(failureOf(document, [op]).body()).toMatchObject({ error: 'PATCH_FAILED', op_index: 0, path: op.path });
  });

  test.each([
    '00',
    '01',
    '-0',
    '-1',
    '+1',
    '1.0',
    '1e0',
    '0x1',
    ' 1',
    '1 ',
    '１',
    '99999999999999999999',
    'length',
    'push',
    'at',
    '__proto__',
    'NaN',
    '-',
  ])('does not accept %j as an element of an array', (index) => {
    const document = { a: [{ b: 1 }, { b: 2 }] };
    for (const op of [replace(`/a/${index}`, 1), remove(`/a/${index}`), add(`/a/${index}/b`, 1)])
      expect(failureOf(document, [op]).code).toBe('PATCH_FAILED');
    if (index !== '-') expect(failureOf(document, [add(`/a/${index}`, 1)]).code).toBe('PATCH_FAILED');
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'treats %s like any other member, and only if the object itself has it',
    (name) => {
      for (const op of [replace(`/${name}`, 1), remove(`/${name}`), add(`/${name}/polluted`, 1)])
        expect(failureOf({}, [op]).code).toBe('PATCH_FAILED');
      const result = applyPatch({}, [
        add(`/${name}`, {}),
        add(`/${name}/polluted`, 1),
        replace(`/${name}/polluted`, 2),
      ]);
      expect(JSON.stringify(result)).toBe(`{"${name}":{"polluted":2}}`);
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
      expect({}).not.toHaveProperty('polluted');
      expect(applyPatch(result, [remove(`/${name}`)])).toEqual({});
    },
  );

  test('does not change the document if a later operation fails', () => {
    const document = frozen({ a: [1, { b: [2] }], c: {} });
    const ops = [replace('/a/0', 9), add('/a/1/b/-', 3), remove('/c'), remove('/c')];
    expect(failureOf(document, ops).details).toEqual({ op_index: 3, path: '/c' });
    expect(document).toEqual({ a: [1, { b: [2] }], c: {} });
  });

  test('shares nothing with the document or the operations', () => {
    const document = frozen({ kept: { deep: [1] }, list: [{ x: 1 }] });
    const value = frozen({ deep: [{}] });
    const result = applyPatch(document, [add('/one', value), add('/two', value), add('/one/deep/0/y', 1)]);
    expect(result).toEqual({ kept: { deep: [1] }, list: [{ x: 1 }], one: { deep: [{ y: 1 }] }, two: { deep: [{}] } });
    const shared = new Set<unknown>();
    const collect = (part: unknown, seen: (node: object) => void): void => {
      if (typeof part !== 'object' || part === null) return;
      seen(part);
      for (const member of Object.values(part)) collect(member, seen);
    };
    for (const given of [document, value]) collect(given, (node) => shared.add(node));
    collect(result, (node) => expect(shared.has(node)).toBe(false));
  });

  test('reports the fault and its place, without values', () => {
    const document = { title: 'a secret title', tasks: [{ id: 't1' }], 'a/b': {} };
    const messages = [
      remove('/tasks/1'),
      add('/tasks/7', 'secret'),
      add('/tasks/01', 'secret'),
      replace('/tasks/-', 'secret'),
      replace('/tasks/0/name', 'secret'),
      replace('/a~1b/c/d', 'secret'),
      add('/title/x', 'secret'),
      replace('title', 'secret'),
      replace('/ti~tle', 'secret'),
    ].map((op) => failureOf(document, [op]).message);
    expect(messages).toEqual([
      'Operation 0 (remove): index 1 is beyond the end of the array at "/tasks".',
      'Operation 0 (add): index 7 is beyond the end of the array at "/tasks".',
      'Operation 0 (add): "01" is not an index of the array at "/tasks".',
      'Operation 0 (replace): "-" names the end of the array at "/tasks", where only add is possible.',
      'Operation 0 (replace): the object at "/tasks/0" has no member "name".',
      'Operation 0 (replace): the object at "/a~1b" has no member "c".',
      'Operation 0 (add): "/title" is neither an object nor an array.',
      'Operation 0 (replace): the path must begin with "/", or be empty for the whole contract.',
      'Operation 0 (replace): the path contains a "~" without 0 or 1: write ~0 for "~" and ~1 for "/".',
    ]);
  });

  test('repeats neither a long path nor a token in its error', () => {
    const long = failureOf({}, [remove(`/${'x'.repeat(10_000)}`)]);
    expect(JSON.stringify(long.body()).length).toBeLessThan(1000);
    const secret = failureOf({}, [remove(`/prt_${'a'.repeat(40)}`)]);
    expect(JSON.stringify(secret.body())).not.toContain('prt_a');
  });

  test('applies thousands of operations to a long array', () => {
    const numbers: unknown[] = Array.from({ length: 3000 }, (_, index) => index);
    const document = { a: numbers };
    const front = Array.from({ length: 2000 }, (_, index) => add('/a/0', -1 - index));
    const middle = Array.from({ length: 2000 }, (_, index) => add('/a/2500', `m${index}`));
    const expected = numbers.toSpliced(0, 0, ...front.map(({ value }) => value).reverse());
    const grown = applyPatch(document, [...front, ...middle]);
    expect(grown).toEqual({ a: expected.toSpliced(2500, 0, ...middle.map(({ value }) => value).reverse()) });
    const shrunk = applyPatch(
      grown,
      Array.from({ length: 6999 }, () => remove('/a/1')),
    );
    expect(shrunk).toEqual({ a: [-2000] });
  });
});

describe('any patch', () => {
  const name = fc.constantFrom('a', 'b', '0', '1', '', '~', '/', '-', 'x/y~z');
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const escaped = (part: string): string => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const path = fc.array(name, { maxLength: 4 }).map((names) => names.map(escaped).join(''));
  const op = fc.oneof(
    fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), path, value: tree }),
    fc.record({ op: fc.constant('remove' as const), path }),
  );

  /**
   * A second implementation of one patch operation, with which the tests compare the result of Parley. Rebuilds the
   * document along the member names of the path. Returns undefined if the operation must fail.
   */
  function patched(value: unknown, names: readonly string[], op: PatchOp): unknown {
    const [first, ...rest] = names;
    if (first === undefined) return op.op === 'remove' ? undefined : op.value;
    if (typeof value !== 'object' || value === null) return undefined;
    const keys = Object.keys(value);
    const isLast = rest.length === 0;
    if (Array.isArray(value)) {
      const index =
        first === '-' && isLast && op.op === 'add' ? value.length : [...keys, `${value.length}`].indexOf(first);
      if (index < 0 || (index === value.length && !(isLast && op.op === 'add'))) return undefined;
      if (isLast && op.op === 'add') return value.toSpliced(index, 0, op.value);
      if (isLast && op.op === 'remove') return value.toSpliced(index, 1);
      const inner = patched(value[index], rest, op);
      return inner === undefined ? undefined : value.with(index, inner);
    }
    if (!keys.includes(first) && !(isLast && op.op === 'add')) return undefined;
    const others = Object.entries(value).filter(([key]) => key !== first);
    if (isLast && op.op === 'remove') return Object.fromEntries(others);
    const inner = patched(Object.entries(value).find(([key]) => key === first)?.[1], rest, op);
    return inner === undefined ? undefined : Object.fromEntries([...others, [first, inner]]);
  }

  const namesOf = (text: string): string[] =>
    text
      .split('/')
      .slice(1)
      .map((part) => part.replace(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~')));

  function modelOf(document: unknown, ops: readonly PatchOp[]): unknown {
    let value = document;
    for (const [index, op] of ops.entries()) {
      value = patched(value, namesOf(op.path), op);
      if (value === undefined) return `fails at ${index}`;
    }
    return value;
  }

  const outcomeOf = (document: unknown, ops: readonly PatchOp[]): unknown => {
    try {
      return applyPatch(document, ops);
    } catch (error) {
      return error instanceof ParleyError ? `fails at ${error.details.op_index}` : error;
    }
  };

  test('has the same result as in the model, and never changes its arguments', () => {
    fc.assert(
      fc.property(tree, fc.array(op, { maxLength: 6 }), (document, ops) => {
        expect(outcomeOf(frozen(document), frozen(ops))).toEqual(modelOf(document, ops));
      }),
      { numRuns: 1000 },
    );
  });

  test('that succeeds has the same result as in another implementation', () => {
    fc.assert(
      fc.property(tree, fc.array(op, { maxLength: 6 }), (document, ops) => {
        const result = outcomeOf(document, ops);
        // Skips operations on the whole document, which the library rfc6902 cannot replace.
        fc.pre(!(typeof result === 'string' && result.startsWith('fails')) && ops.every(({ path }) => path !== ''));
        const copy = structuredClone(document);
        expect(rfc6902.applyPatch(copy, structuredClone(ops))).toEqual(ops.map(() => null));
        expect(copy).toEqual(result);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('PatchOps, as clients see it,', () => {
  const input = z.strictObject({ ops: PatchOps });
  const schema = publishedSchema(input);

  test('is an array of objects with a path and one of three operations', () => {
    expect(schema.properties?.ops?.items).toMatchObject({
      type: 'object',
      properties: { op: { enum: ['add', 'replace', 'remove'] }, path: { type: 'string' }, value: {} },
      required: ['op', 'path'],
    });
    expect(schema.properties?.ops?.items).not.toHaveProperty('additionalProperties');
    expect(schema.properties?.ops?.minItems).toBe(1);
  });

  test.each([
    ['null', null],
    ['a text that looks like a number', '5'],
    ['a text that looks like an object', '{"a":1}'],
    ['an object with null in it', { a: null }],
    ['false', false],
  ])('keeps the value %s, also in operations sent as a text', (_what, value) => {
    const ops = [{ op: 'add', path: '/a', value }];
    for (const given of [{ ops }, { ops: JSON.stringify(ops) }, { ops: ops.map((op) => JSON.stringify(op)) }]) {
      const taken = input.parse(coerceInput(schema, given));
      expect(taken).toEqual({ ops });
      expect(applyPatch({}, taken.ops)).toEqual({ a: value });
    }
  });

  test('omits an absent value', () => {
    const { ops } = input.parse(coerceInput(schema, { ops: [{ op: 'add', path: '/a' }] }));
    expect(ops[0]).not.toHaveProperty('value');
  });

  test.each([
    [{ op: 'move', path: '/a', from: '/b' }],
    [{ op: 'copy', path: '/a', from: '/b' }],
    [{ op: 'test', path: '/a', value: 1 }],
    [{ op: 'ADD', path: '/a', value: 1 }],
    [{ op: 'add', value: 1 }],
    [{ path: '/a', value: 1 }],
    [{ op: 'add', path: null, value: 1 }],
    [{ op: 'add', path: ['a'], value: 1 }],
  ])('refuses %j', (op) => {
    expect(input.safeParse(coerceInput(schema, { ops: [op] })).success).toBe(false);
  });
});
