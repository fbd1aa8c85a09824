import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { documentAs, documented, nameSchemas, publishedSchema } from '../../../src/kernel/operation/json-schema.ts';

const Colour = z.enum(['red', 'green']).register(documented, { id: 'Colour' });
const Ball = z.strictObject({ colour: Colour, size: z.int() });
documented.add(Ball, { id: 'Ball' });

const pathOf = (name: string): string => `#/${name}`;
const ofInput = (schema: z.ZodType) => {
  const { input, components } = nameSchemas([schema], [], pathOf);
  return { schema: input(schema), components };
};
const ofOutput = (schema: z.ZodType) => {
  const { output, components } = nameSchemas([], [schema], pathOf);
  return { schema: output(schema), components };
};

describe('a named schema', () => {
  test('is defined once, and referred to elsewhere', () => {
    expect(ofInput(z.strictObject({ ball: Ball, spare: z.array(Ball) }))).toEqual({
      schema: {
        type: 'object',
        properties: { ball: { $ref: '#/Ball' }, spare: { type: 'array', items: { $ref: '#/Ball' } } },
        required: ['ball', 'spare'],
        additionalProperties: false,
      },
      components: {
        Ball: {
          type: 'object',
          properties: { colour: { $ref: '#/Colour' }, size: { type: 'integer' } },
          required: ['colour', 'size'],
          additionalProperties: false,
        },
        Colour: { type: 'string', enum: ['red', 'green'] },
      },
    });
  });

  test('refuses unknown members in inputs, allows them in answers, and refuses them if it is used in both', () => {
    const closed = { additionalProperties: false };
    expect(ofInput(Ball).components.Ball).toMatchObject(closed);
    expect(ofOutput(Ball).components.Ball).not.toHaveProperty('additionalProperties');
    expect(nameSchemas([Ball], [Ball], pathOf).components.Ball).toMatchObject(closed);
    expect(ofOutput(z.record(z.string(), Colour)).schema).toEqual({
      type: 'object',
      additionalProperties: { $ref: '#/Colour' },
    });
  });

  test('is referred to by a copy, with the description of the copy', () => {
    const described = z.strictObject({ a: Colour.describe('Of the ball.'), b: Colour.nullable().optional() });
    expect(ofInput(described).schema.properties).toEqual({
      a: { $ref: '#/Colour', description: 'Of the ball.' },
      b: { anyOf: [{ $ref: '#/Colour' }, { type: 'null' }] },
    });
  });

  test('keeps its own description if its first use has another', () => {
    const Size = z.int().describe('In millimetres.').register(documented, { id: 'Size' });
    const { schema, components } = ofInput(z.strictObject({ a: Size.describe('Of the ball.'), b: Size }));
    expect(components).toEqual({ Size: { type: 'integer', description: 'In millimetres.' } });
    expect(schema.properties).toEqual({ a: { $ref: '#/Size', description: 'Of the ball.' }, b: { $ref: '#/Size' } });
  });

  test('is referred to by a copy that accepts fewer values, with what it accepts', () => {
    const Name = z.string().register(documented, { id: 'Name' });
    expect(ofInput(z.strictObject({ long: Name, short: Name.max(3) })).schema.properties).toEqual({
      long: { $ref: '#/Name' },
      short: { $ref: '#/Name', maxLength: 3 },
    });
  });

  test('is referred to by another enumeration of the same texts, but not by another text of the same maximum length', () => {
    const Word = z.string().max(9).describe('A word.').register(documented, { id: 'Word' });
    const other = z.strictObject({
      colour: z.enum(['red', 'green']).describe('Of the net.'),
      used: Colour,
      word: Word,
      text: z.string().max(9),
    });
    expect(ofInput(other).schema.properties).toMatchObject({
      colour: { $ref: '#/Colour', description: 'Of the net.' },
      text: { type: 'string', maxLength: 9 },
    });
  });

  test('leaves the facts that meta states about a member', () => {
    const token = z.string().max(40).meta({ writeOnly: true });
    expect(ofInput(z.strictObject({ token })).schema.properties).toEqual({
      token: { type: 'string', maxLength: 40, writeOnly: true },
    });
  });

  test('has a name that stands for nothing else', () => {
    const first = z.strictObject({ left: z.int() }).register(documented, { id: 'Left' });
    const second = z.strictObject({ right: z.int() }).register(documented, { id: 'Left' });
    expect(() => nameSchemas([first, second], [], pathOf)).toThrow('Duplicate schema id "Left"');
    expect(() => nameSchemas([first], [second], pathOf)).toThrow('Two schemas are named Left.');
  });

  test('is written out in the schemas that tools publish', () => {
    expect(JSON.stringify(publishedSchema(z.strictObject({ ball: Ball })))).not.toMatch(/Ball"|\$ref|x-mark/);
  });
});

describe('a document', () => {
  test('states limits that the schema itself does not check', () => {
    const wait = z.number().min(0).register(documented, { maximum: 25 });
    const names = z.array(z.string()).register(documented, { uniqueItems: true });
    expect(ofInput(z.strictObject({ wait: wait.optional(), names })).schema.properties).toEqual({
      wait: { type: 'number', minimum: 0, maximum: 25 },
      names: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    });
  });

  test('shows a substitute in place of a schema that accepts any value', () => {
    const anything = z.record(z.string(), z.unknown()).describe('A ball, or what is meant to be one.');
    documentAs(anything, Ball);
    expect(ofInput(z.strictObject({ ball: anything })).schema.properties).toEqual({
      ball: { $ref: '#/Ball', description: 'A ball, or what is meant to be one.' },
    });
  });

  test('leaves out the bounds that every whole number has, and the schemas of member names', () => {
    expect(
      ofInput(z.strictObject({ size: z.int(), free: z.record(z.string(), z.unknown()) })).schema.properties,
    ).toEqual({
      size: { type: 'integer' },
      free: { type: 'object', additionalProperties: {} },
    });
  });
});
