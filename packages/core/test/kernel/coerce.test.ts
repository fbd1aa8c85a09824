import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coerceInput } from '../../src/kernel/coerce.ts';
import { publishedSchema } from '../../src/kernel/json-schema.ts';

const shape = z.strictObject({
  text: z.string().optional(),
  must: z.string(),
  whole: z.int().optional(),
  ratio: z.number().optional(),
  flag: z.boolean().optional(),
  list: z.array(z.string()).optional(),
  sizes: z.array(z.int()).optional(),
  inner: z.strictObject({ deep: z.int().optional(), name: z.string() }).optional(),
  items: z.array(z.strictObject({ kind: z.enum(['a', 'b']).optional(), note: z.string() })).optional(),
  either: z.array(z.union([z.string(), z.strictObject({ text: z.string(), to: z.string().optional() })])).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
});
const schema = publishedSchema(shape);
const fromJson = (value: unknown): unknown => coerceInput(schema, value, 'json');
const fromQuery = (value: unknown): unknown => coerceInput(schema, value, 'query');

describe('a query string', () => {
  test.each([
    ['whole', '42', 42],
    ['whole', '-7', -7],
    ['whole', '0', 0],
    ['whole', '007', 7],
    ['ratio', '0.5', 0.5],
    ['ratio', '25', 25],
    ['ratio', '-1', -1],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['text', '42', '42'],
    ['text', 'true', 'true'],
    ['text', 'null', 'null'],
    ['list', '["a","b"]', ['a', 'b']],
  ])('reads %s=%s by the declared type', (name, text, value) => {
    expect(fromQuery({ [name]: text })).toEqual({ [name]: value });
  });

  test.each([
    ['whole', ''],
    ['whole', ' 1'],
    ['whole', '+1'],
    ['whole', '1e3'],
    ['whole', '0x10'],
    ['whole', '1,5'],
    ['whole', 'NaN'],
    ['whole', 'Infinity'],
    ['whole', '٣'],
    ['whole', '1234567890123456'],
    ['ratio', '.5'],
    ['ratio', '5.'],
    ['flag', '1'],
    ['flag', 'TRUE'],
    ['flag', ''],
  ])('leaves %s=%s as it is, for the schema to refuse', (name, text) => {
    expect(fromQuery({ [name]: text })).toEqual({ [name]: text });
  });
});

describe('a JSON body', () => {
  test('numbers, objects and arrays in strings are read, at every depth', () => {
    expect(
      fromJson({
        whole: '3',
        inner: '{"deep":"4","name":"5"}',
        items: ['{"kind":"a","note":"{}"}'],
        sizes: '["1",2]',
        list: '["7"]',
      }),
    ).toEqual({
      whole: 3,
      inner: { deep: 4, name: '5' },
      items: [{ kind: 'a', note: '{}' }],
      sizes: [1, 2],
      list: ['7'],
    });
  });

  test('strings stay strings where a string is declared', () => {
    const given = { text: '{"a":1}', must: '12', inner: { name: '[1]' }, either: ['{"text":"x"}'] };
    expect(fromJson(given)).toEqual(given);
  });

  test('booleans in strings are left for the schema to refuse', () => {
    expect(fromJson({ flag: 'true' })).toEqual({ flag: 'true' });
  });

  test.each([
    ['no JSON', '{"deep":'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['a name twice', '{"name":"a","name":"b"}'],
    ['__proto__', '{"__proto__":{}}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
  ])('a string that holds %s stays a string', (_what, text) => {
    expect(fromJson({ inner: text })).toEqual({ inner: text });
  });

  test('null for an optional member counts as absent, nested too', () => {
    expect(
      fromJson({
        text: null,
        whole: null,
        list: null,
        inner: { deep: null, name: 'n' },
        items: [{ kind: null, note: 'x' }],
        either: [{ text: 'q', to: null }],
      }),
    ).toEqual({ inner: { name: 'n' }, items: [{ note: 'x' }], either: [{ text: 'q' }] });
  });

  test('null stays where a member is required, in arrays and in free objects', () => {
    const given = { must: null, list: [null], inner: { name: null }, free: { a: null } };
    expect(fromJson(given)).toEqual(given);
  });

  test('null stays where an optional member may be any value', () => {
    const open = publishedSchema(z.strictObject({ value: z.unknown().optional().describe('Any value.') }));
    expect(open.required).toBeUndefined();
    expect(coerceInput(open, { value: null }, 'json')).toEqual({ value: null });
    expect(coerceInput(open, {}, 'json')).toEqual({});
  });

  test('unknown members are kept for the schema to refuse, null or not', () => {
    expect(fromJson({ other: null, toString: '1' })).toEqual({ other: null, toString: '1' });
  });

  test.each([[null], [undefined], [1], [[]], ['x'], [true]])('%j as a whole is left to the schema', (value) => {
    expect(fromJson(value)).toEqual(value);
  });

  test('the value given is not changed', () => {
    const given = Object.freeze({ inner: Object.freeze({ deep: null, name: 'n' }), whole: '1' });
    expect(fromJson(given)).toEqual({ inner: { name: 'n' }, whole: 1 });
    expect(given).toEqual({ inner: { deep: null, name: 'n' }, whole: '1' });
  });
});
