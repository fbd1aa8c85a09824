import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ParleyError } from '../../../src/kernel/errors.ts';
import { queryInput, RequestId, readArguments } from '../../../src/kernel/operation/arguments.ts';
import { completeOperation, type Operation } from '../../../src/kernel/operation/operation.ts';

const Input = z.strictObject({
  summary: z.string(),
  round: z.int().default(3),
  concerns: z.array(z.string()).max(2).optional(),
  interfaces: z.array(z.strictObject({ name: z.string(), kind: z.string().optional() })).optional(),
  request_id: RequestId.optional(),
});
const spec = {
  name: 'note',
  summary: 'Note.',
  access: {},
  input: Input,
  output: z.unknown(),
  errors: [],
  reply: () => null,
} as const;
const keyed: Operation<unknown> = completeOperation({ ...spec, findIdempotencyRecord: () => undefined });
const plain: Operation<unknown> = completeOperation(spec);

const SESSION = 'AAAAAAAAAAAAAAAAAAAAAA';
const read = (raw: unknown, headerKeys: readonly string[] = [], operation = keyed) =>
  readArguments(operation, raw, { sessionId: SESSION, headerKeys });

const refusalOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof ParleyError ? { code: error.code, ...error.details } : error;
  }
};
const issue = (path: string, message: string) => ({ code: 'INVALID_INPUT', issues: [{ path, message }] });

describe('input', () => {
  test('defaults are filled in', () => {
    expect(read({ summary: 's' })).toEqual({ input: { summary: 's', round: 3 }, idempotency: undefined });
  });

  test.each([
    ['near a known name', { summary: 's', conserns: [] }, 'conserns', 'Unknown member; did you mean "concerns"?'],
    [
      'near none',
      { summary: 's', other: 1 },
      'other',
      'Unknown member; known are: summary, round, concerns, interfaces, request_id.',
    ],
    [
      'nested',
      { summary: 's', interfaces: [{ name: 'n', kinds: '' }] },
      'interfaces[0].kinds',
      'Unknown member; did you mean "kind"?',
    ],
  ])('an unknown member %s is named', (_what, raw, path, message) => {
    expect(refusalOf(() => read(raw))).toEqual(issue(path, message));
  });

  test('a text instead of a list is reported for its type, and not for its length too', () => {
    expect(refusalOf(() => read({ summary: 's', concerns: 'longer than two' }))).toEqual(
      issue('concerns', 'Must be an array; got "longer than two".'),
    );
  });

  test.each([
    ['of the input', {}, 'summary'],
    ['of an item', { summary: 's', interfaces: [{ kind: 'k' }] }, 'interfaces[0].name'],
  ])('a member %s that is left out is required', (_what, raw, path) => {
    expect(refusalOf(() => read(raw))).toEqual(issue(path, 'Is required.'));
  });

  test('a member of another type is reported with its type', () => {
    expect(refusalOf(() => read({ summary: {} }))).toEqual(issue('summary', 'Must be a string; got an object.'));
  });

  test('names of a query that begin with _ are left out', () => {
    expect(queryInput(new URLSearchParams('_=1732800000&summary=s&_=2&__proto__=x'))).toEqual({ summary: 's' });
  });

  test('a member under another name of the operation counts as the one of its own name', () => {
    const named = completeOperation({
      ...spec,
      input: z.strictObject({ text: z.string() }),
      otherNames: { answer: 'text' },
    });
    expect(readArguments(named, { answer: 'a' }).input).toEqual({ text: 'a' });
    expect(refusalOf(() => readArguments(named, { answer: 1 }))).toEqual(issue('text', 'Must be a string; got 1.'));
    expect(refusalOf(() => readArguments(named, { answer: 'a', text: 'b' }))).toMatchObject({
      issues: [{ path: 'answer' }],
    });
  });

  test('members that clients of MCP add are left out only for them, and only if they are not declared', () => {
    const sent = { summary: 's', toolCallId: 'call_1', _meta: {}, request_id: 'key' };
    expect(refusalOf(() => read(sent))).toMatchObject({ issues: [{ path: 'toolCallId' }, { path: '_meta' }] });
    const taken = readArguments(keyed, sent, { isFromMcpClient: true });
    expect(taken).toEqual({ ...read({ summary: 's', request_id: 'key' }) });
    const declaring = completeOperation({ ...spec, input: z.strictObject({ action: z.string(), _own: z.string() }) });
    const own = { action: 'a', _own: 'o' };
    expect(readArguments(declaring, own, { isFromMcpClient: true }).input).toEqual(own);
  });

  test.each([{ random_string: 'x' }, { session_id: SESSION, a: 1 }, '', [], 0])(
    'an operation without members takes %j from a client of MCP as no input',
    (raw) => {
      const bare = completeOperation({ ...spec, input: z.strictObject({}) });
      expect(readArguments(bare, raw, { sessionId: SESSION, isFromMcpClient: true }).input).toEqual({});
      expect(
        refusalOf(() => readArguments(bare, { session_id: 'other' }, { sessionId: SESSION, isFromMcpClient: true })),
      ).toMatchObject({
        code: 'WRONG_SESSION',
      });
    },
  );

  test('a long unknown name is cut', () => {
    const refusal = refusalOf(() => read({ summary: 's', ['x'.repeat(100_000)]: 1 }));
    expect(refusal).toMatchObject({ issues: [{ path: 'x'.repeat(60) }] });
  });

  test('at most 20 faults are listed, and the others are counted', () => {
    const raw = { summary: 's', ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`unknown_${n}`, 1])) };
    const run = () => read(raw);
    expect(run).toThrow(
      'unknown_0: Unknown member; known are: summary, round, concerns, interfaces, request_id. (and 24 more)',
    );
    expect(refusalOf(run)).toMatchObject({ issues: { length: 20 } });
  });

  test('the known members of an object are named once', () => {
    expect(refusalOf(() => read({ summary: 's', first_of_two: 1, second_of_two: 2 }))).toMatchObject({
      issues: [
        {
          path: 'first_of_two',
          message: 'Unknown member; known are: summary, round, concerns, interfaces, request_id.',
        },
        { path: 'second_of_two', message: 'Unknown member.' },
      ],
    });
  });

  test('the nearest known name is computed only for listed faults', () => {
    const raw = { summary: 's', ...Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`u${n}`, 1])) };
    const rows = vi.spyOn(Array, 'from');
    try {
      expect(() => read(raw)).toThrow('(and 19999 more)');
      expect(rows.mock.calls.length).toBeLessThanOrEqual(20 * 5);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test.each([[null], [[]], ['text'], [7]])('%j is refused', (raw) => {
    expect(refusalOf(() => read(raw))).toMatchObject({ code: 'INVALID_INPUT', issues: [{ path: 'input' }] });
  });
});

describe('session_id', () => {
  test('is removed if it is the session of the token', () => {
    expect(read({ summary: 's', session_id: SESSION }).input).toEqual({ summary: 's', round: 3 });
  });

  test.each([['BBBBBBBBBBBBBBBBBBBBBB'], [''], [1], [null], [{}]])('%j is refused as another session', (session_id) => {
    expect(refusalOf(() => read({ summary: 's', session_id }))).toEqual({ code: 'WRONG_SESSION' });
  });

  test('is reported before other faults', () => {
    expect(refusalOf(() => read({ session_id: 'x' }))).toEqual({ code: 'WRONG_SESSION' });
  });

  test('is an unknown member if no session is known', () => {
    const run = () => readArguments(plain, { summary: 's', session_id: SESSION });
    expect(refusalOf(run)).toMatchObject({ code: 'INVALID_INPUT', issues: [{ path: 'session_id' }] });
  });
});

describe('the idempotency key', () => {
  const keyOf = (raw: object, headers: readonly string[]) => read({ summary: 's', ...raw }, headers).idempotency?.key;

  test.each([
    ['the body alone', { request_id: 'k-1' }, [], 'k-1'],
    ['the header alone', {}, ['k-1'], 'k-1'],
    ['a quoted header', {}, ['"k-1"'], 'k-1'],
    ['both alike', { request_id: 'k-1' }, ['k-1'], 'k-1'],
    ['both alike, the header quoted', { request_id: 'k-1' }, ['"k-1"'], 'k-1'],
    ['null in the body', { request_id: null }, ['k-1'], 'k-1'],
    ['an empty text in the body', { request_id: '' }, ['k-1'], 'k-1'],
    ['200 characters', {}, ['~'.repeat(200)], '~'.repeat(200)],
    ['200 characters and quotes', {}, [`"${'!'.repeat(200)}"`], '!'.repeat(200)],
    ['one quotation mark', {}, ['"'], '"'],
    ['neither', {}, [], undefined],
  ])('is taken from %s', (_what, raw, headers, key) => {
    expect(keyOf(raw, headers)).toBe(key);
  });

  const DIFFERS = issue(
    'request_id',
    'Differs from the Idempotency-Key header; send only one of them, or the same value in both.',
  );
  const header = (sent: string) =>
    issue('Idempotency-Key', `Must be one key of 1 to 200 visible ASCII characters; got ${sent}.`);
  test.each([
    ['differs from the header', { request_id: 'k-1' }, ['k-2'], DIFFERS],
    ['differs by case', { request_id: 'k' }, ['K'], DIFFERS],
    ['has two headers', {}, ['k', 'k'], header('2 keys')],
    ['has 201 characters', {}, ['k'.repeat(201)], header(`"${'k'.repeat(40)}"…`)],
    ['is empty', {}, [''], header('""')],
    ['is quoted and empty', {}, ['""'], header('""')],
    ['holds a space', {}, ['a b'], header('"a b"')],
    ['holds a joined list', {}, ['a, b'], header('"a, b"')],
    ['holds a letter beyond ASCII', {}, ['ключ'], header('"ключ"')],
    ['holds a line break', {}, ['k\n'], header('"k\\u{a}"')],
    [
      'is a request_id of 201',
      { request_id: 'k'.repeat(201) },
      [],
      issue('request_id', `Must be 1 to 200 visible ASCII characters; got "${'k'.repeat(40)}"….`),
    ],
  ])('is refused if it %s', (_what, raw, headers, refusal) => {
    expect(refusalOf(() => keyOf(raw, headers))).toEqual(refusal);
  });

  test('is ignored if the operation takes none', () => {
    expect(read({ summary: 's' }, ['a b', 'c'], plain).idempotency).toBeUndefined();
  });
});

describe('the fingerprint', () => {
  const fingerprintOf = (raw: object): string | undefined => read({ request_id: 'k', ...raw }).idempotency?.fingerprint;
  const ONE = fingerprintOf({ summary: 's', interfaces: [{ name: 'n', kind: 'k' }] });

  test('is the SHA-256 of the canonical input without key and defaults', () => {
    expect(fingerprintOf({ summary: 's' })).toBe('185d9a5945b042aaf21138460bea536ab3cfd311e770faa487fad551ab2c96d1');
  });

  test('does not depend on the order of members', () => {
    expect(fingerprintOf({ interfaces: [{ kind: 'k', name: 'n' }], summary: 's' })).toBe(ONE);
  });

  test('is the same for null and an absent member, and for a JSON string and its value', () => {
    expect(fingerprintOf({ summary: 's', interfaces: [{ name: 'n', kind: 'k' }], concerns: null })).toBe(ONE);
    expect(fingerprintOf({ summary: 's', interfaces: '[{"kind":"k","name":"n"}]' })).toBe(ONE);
    expect(fingerprintOf({ summary: 's', interfaces: [{ name: 'n', kind: 'k' }], session_id: SESSION })).toBe(ONE);
  });

  test('is the same with the key in the header', () => {
    const { idempotency } = read({ summary: 's', interfaces: [{ name: 'n', kind: 'k' }] }, ['other']);
    expect(idempotency).toEqual({ key: 'other', fingerprint: ONE });
  });

  test('differs for other content', () => {
    expect(fingerprintOf({ summary: 's', interfaces: [{ name: 'n' }] })).not.toBe(ONE);
    expect(fingerprintOf({ summary: 's', concerns: [] })).not.toBe(fingerprintOf({ summary: 's' }));
    expect(fingerprintOf({ summary: 's', round: 3 })).not.toBe(fingerprintOf({ summary: 's' }));
  });
});

describe('a query', () => {
  test('becomes an object of texts', () => {
    expect(queryInput(new URLSearchParams('a=1&b=&c=%7B%7D'))).toEqual({ a: '1', b: '', c: '{}' });
  });

  test('names each member once', () => {
    expect(refusalOf(() => queryInput(new URLSearchParams('a=1&b=2&a=1')))).toEqual(issue('a', 'Is given twice.'));
  });
});
