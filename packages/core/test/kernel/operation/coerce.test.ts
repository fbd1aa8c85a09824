import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coerceInput } from '../../../src/kernel/operation/arguments.ts';
import { publishedSchema } from '../../../src/kernel/operation/json-schema.ts';

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
  mode: z.enum(['fast', 'slow']).optional(),
  objectOrFlag: z.union([z.strictObject({ deep: z.int() }), z.boolean()]).optional(),
  textOrNull: z.string().nullable().optional(),
});
const schema = publishedSchema(shape);
const coerce = (value: unknown): unknown => coerceInput(schema, value);

describe('text where another type is declared', () => {
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
    ['list', ' ["a"]\n', ['a']],
    ['inner', '{"deep":"4"}', { deep: 4 }],
    ['objectOrFlag', 'true', true],
    ['objectOrFlag', '{"deep":"4"}', { deep: 4 }],
    ['textOrNull', 'null', 'null'],
    ['textOrNull', '{}', '{}'],
  ])('reads %s=%s by the declared type', (name, text, value) => {
    expect(coerce({ [name]: text })).toEqual({ [name]: value });
  });

  test.each([
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
    ['list', '{"a":1}'],
    ['list', '"a"'],
    ['inner', '[1]'],
    ['inner', '12'],
    ['inner', 'null'],
    ['objectOrFlag', '[1]'],
    ['objectOrFlag', '1'],
  ])('leaves %s=%s as it is, for the schema to refuse', (name, text) => {
    expect(coerce({ [name]: text })).toEqual({ [name]: text });
  });
});

describe('a JSON value', () => {
  test('numbers, objects and arrays in strings are read, at every depth', () => {
    expect(
      coerce({
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
    expect(coerce(given)).toEqual(given);
  });

  test.each([
    ['no JSON', '{"deep":'],
    ['an array', '[1]'],
  ])('a string that holds %s in place of an object stays a string', (_what, text) => {
    expect(coerce({ inner: text })).toEqual({ inner: text });
  });

  test.each([
    ['inner.name', 'Is named twice; name it once.', { inner: '{"name":"a","name":"b"}' }],
    [
      'inner.__proto__',
      'Is a member name that is not allowed; give the member another name.',
      { inner: '{"__proto__":{}}' },
    ],
    [
      'items[1].name',
      'Holds a lone surrogate; write the whole character, or leave it out.',
      { items: ['{"note":"x"}', '{"name":"\\ud800"}'] },
    ],
    [
      'items[0].deep[1]',
      'Is a number that cannot be kept exactly; send it as a string.',
      { items: '[{"deep":[1,9007199254740993]}]' },
    ],
    [
      'inner.deep',
      'Is nested deeper than 64 levels; nest it less deeply.',
      { inner: `{"deep":${'['.repeat(64)}${']'.repeat(64)}}` },
    ],
  ])('a string that is JSON with a fault is refused with the path %s', (path, message, given) => {
    expect(() => coerce(given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        details: { issues: [{ path: expect.stringContaining(path), message }] },
      }),
    );
  });

  test('after twenty strings that are not JSON, further strings are not parsed', () => {
    const items = [...Array.from({ length: 19 }, () => '{'), '{"note":"read"}', '[', '{', '{"note":"left"}'];
    expect(Object(coerce({ items })).items.slice(19)).toEqual([{ note: 'read' }, '[', '{', '{"note":"left"}']);
  });

  test('null for an optional member counts as absent, nested too', () => {
    expect(
      coerce({
        text: null,
        whole: null,
        list: null,
        inner: { deep: null, name: 'n' },
        items: [{ kind: null, note: 'x' }],
        either: [{ text: 'q', to: null }],
      }),
    ).toEqual({ inner: { name: 'n' }, items: [{ note: 'x' }], either: [{ text: 'q' }] });
  });

  test('an empty string for an optional member of any type counts as absent, nested too', () => {
    expect(
      coerce({
        text: '',
        must: 'm',
        mode: '',
        whole: '',
        ratio: '',
        flag: '',
        list: '',
        inner: '',
        free: '',
        objectOrFlag: '',
        textOrNull: '',
        items: [{ kind: '', note: 'x' }],
        either: [{ text: 'q', to: '' }],
      }),
    ).toEqual({ must: 'm', items: [{ note: 'x' }], either: [{ text: 'q' }] });
  });

  test('an empty string stays where a string is required, in arrays and in free objects', () => {
    const given = { must: '', list: [''], inner: { name: '' }, free: { a: '' }, either: [''] };
    expect(coerce(given)).toEqual(given);
  });

  test('a string of white space does not count as empty', () => {
    expect(coerce({ text: ' ' })).toEqual({ text: ' ' });
  });

  test('null stays where a member is required, in arrays and in free objects', () => {
    const given = { must: null, list: [null], inner: { name: null }, free: { a: null } };
    expect(coerce(given)).toEqual(given);
  });

  test('null and an empty string stay where an optional member may be any value', () => {
    const open = publishedSchema(z.strictObject({ value: z.unknown().optional().describe('Any value.') }));
    expect(open.required).toBeUndefined();
    expect(coerceInput(open, { value: null })).toEqual({ value: null });
    expect(coerceInput(open, { value: '' })).toEqual({ value: '' });
    expect(coerceInput(open, {})).toEqual({});
  });

  test('unknown members are kept for the schema to refuse, null or not', () => {
    expect(coerce({ other: null, toString: '1' })).toEqual({ other: null, toString: '1' });
  });

  test.each([[null], [undefined], [1], [[]], ['x'], [true]])(
    '%j as the whole input is left for the schema to refuse',
    (value) => {
      expect(coerce(value)).toEqual(value);
    },
  );

  test('the given value itself is not changed', () => {
    const given = Object.freeze({ inner: Object.freeze({ deep: null, name: 'n' }), whole: '1' });
    expect(coerce(given)).toEqual({ inner: { name: 'n' }, whole: 1 });
    expect(given).toEqual({ inner: { deep: null, name: 'n' }, whole: '1' });
  });
});
