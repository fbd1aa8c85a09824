import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publishedSchema } from '../../core/src/kernel/operation/json-schema.ts';
import { createSchemaListing } from '../src/tool-listing.ts';

/** Lists these tools, and returns the schema of the last tool. */
function lastListed(...tools: readonly (readonly [name: string, schema: z.ZodType])[]) {
  const list = createSchemaListing();
  return tools.map(([name, schema]) => list(name, publishedSchema(schema))).at(-1) ?? {};
}
const listed = (schema: z.ZodType) => lastListed(['only', schema]);
const SCALARS = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object', properties: {} }];
const ANY = { anyOf: [...SCALARS, { type: 'array', items: { anyOf: SCALARS } }] };

describe('the schema of an input in tools/list', () => {
  test('contains neither propertyNames nor additionalProperties', () => {
    const schema = z.strictObject({ free: z.record(z.string(), z.int()), closed: z.strictObject({ a: z.string() }) });
    expect(listed(schema)).toEqual({
      type: 'object',
      properties: {
        free: { type: 'object', properties: {} },
        closed: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      },
      required: ['free', 'closed'],
    });
  });

  test('describes any value as a choice of types', () => {
    const schema = z.strictObject({ value: z.unknown().describe('Any value.') });
    expect(listed(schema).properties).toEqual({ value: { description: 'Any value.', ...ANY } });
  });

  test.each<readonly [string, z.ZodType, object]>([
    [
      'the object of a text or an object with members',
      z.union([z.string(), z.strictObject({ text: z.string() })]).describe('Either.'),
      { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], description: 'Either.' },
    ],
    ['the text of a text or an open object', z.union([z.string(), z.record(z.string(), z.int())]), { type: 'string' }],
    ['the type of what may be null', z.int().min(1).max(9).nullable(), { type: 'integer' }],
  ])('shows %s', (_what, schema, shown) => {
    expect(listed(z.strictObject({ one: schema, more: z.array(schema) })).properties).toEqual({
      one: shown,
      more: { type: 'array', items: shown },
    });
  });

  test('shows any object for an open object or a flag', () => {
    const schema = z.union([z.record(z.string(), z.int()), z.boolean()]);
    expect(listed(z.strictObject({ one: schema, more: z.array(schema) })).properties).toEqual({
      one: { type: 'object', properties: {} },
      more: { type: 'array', items: { type: 'object', properties: {} } },
    });
  });

  test('leaves out limits and patterns', () => {
    const schema = z.strictObject({
      text: z.string().min(1).max(9).regex(/\S/),
      id: z.string().regex(/^d_\d$/),
      many: z.array(z.int().min(1).max(9)).min(1).max(5),
    });
    expect(listed(schema).properties).toEqual({
      text: { type: 'string' },
      id: { type: 'string' },
      many: { type: 'array', items: { type: 'integer' } },
    });
  });

  const Part = z.strictObject({
    id: z.string().max(60).describe('x'.repeat(4_000)),
    note: z.string().optional(),
    tags: z.array(z.enum(['a', 'b'])),
  });
  const large = z.strictObject({
    whole: z
      .strictObject({ title: z.string().optional(), parts: z.array(Part), place: z.strictObject({ x: z.int() }) })
      .describe('The whole.'),
    small: Part.pick({ note: true }),
  });
  const SMALL = { type: 'object', properties: { note: { type: 'string' } } };

  test('describes a member over 4,000 characters by names and types, and inside it only required members', () => {
    const part = { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } };
    const members = {
      title: { type: 'string' },
      parts: { type: 'array', items: { type: 'object', properties: part } },
      place: { type: 'object', properties: { x: { type: 'integer' } } },
    };
    expect(listed(large).properties).toEqual({
      whole: { type: 'object', properties: members, description: 'The whole.' },
      small: SMALL,
    });
  });

  test('describes such a member of a later tool as an open object that refers to the first tool', () => {
    expect(lastListed(['first', large], ['second', large]).properties).toEqual({
      whole: { type: 'object', properties: {}, description: 'As in first.' },
      small: SMALL,
    });
    expect(lastListed(['first', large], ['second', large], ['third', large]).properties).toEqual({
      whole: { type: 'object', properties: {} },
      small: SMALL,
    });
  });

  const Item = z.strictObject({
    kind: z.enum(['file', 'command', 'log']),
    reference: z.string().describe('Path with line.'),
    excerpt: z.string().describe('The lines that matter, as they stand.').optional(),
  });

  test('describes a repeated object by the types of its required members and the tool that listed it first', () => {
    const properties = { kind: { type: 'string' }, reference: { type: 'string' } };
    const again = { type: 'object', properties, description: 'As in post.' };
    const later = z.strictObject({ one: Item, more: z.array(Item).describe('Why.') });
    expect(lastListed(['post', z.strictObject({ items: z.array(Item) })], ['later', later]).properties).toEqual({
      one: again,
      more: { type: 'array', items: again, description: 'Why.' },
    });
  });

  test('contains the same description of a name once', () => {
    const Reason = z.string().describe('Why you do it.');
    const first = z.strictObject({ reason: Reason, cause: Reason });
    const later = z.strictObject({ reason: Reason, cause: z.string().describe('Who does it.') });
    expect(lastListed(['first', first], ['later', later]).properties).toEqual({
      reason: { type: 'string' },
      cause: { type: 'string', description: 'Who does it.' },
    });
    expect(listed(first).properties).toEqual({
      reason: { type: 'string', description: 'Why you do it.' },
      cause: { type: 'string', description: 'Why you do it.' },
    });
  });
});
