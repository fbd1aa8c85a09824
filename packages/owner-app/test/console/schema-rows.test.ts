import { expect, test } from 'vitest';
import { schemaRows } from '../../console/src/session/reading/contract-model.ts';

const shown = (schema: Record<string, unknown>): string[] =>
  schemaRows(schema).rows.map(({ path, type, isRequired }) =>
    [path || 'itself', type, isRequired ? 'required' : ''].filter(Boolean).join(' | '),
  );

test('lists nested fields, items of lists, constants and choices', () => {
  const schema = {
    type: 'object',
    required: ['version', 'customer'],
    properties: {
      version: { const: 2 },
      currency: { enum: ['EUR', 'USD'] },
      customer: {
        type: 'object',
        required: ['address'],
        properties: { address: { properties: { city: { type: 'string', minLength: 1 } } } },
      },
      lines: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string', pattern: '^[A-Z]+$' } } },
      },
      tags: { type: 'array', items: { type: ['string', 'null'] } },
    },
    additionalProperties: { type: 'integer' },
  };
  expect(shown(schema)).toEqual([
    'version | always 2 | required',
    'currency | "EUR" or "USD"',
    'customer | object | required',
    'customer.address | object | required',
    'customer.address.city | string, minLength 1',
    'lines | array of object, minItems 1',
    'lines[].sku | string, pattern ^[A-Z]+$ | required',
    'tags | array of string or null',
    '* | integer',
  ]);
});

test('an alternative that allows everything is shown, and so is its number', () => {
  const free = { anyOf: [true, { type: 'string' }] };
  const forms = { oneOf: [true, { properties: { kind: { const: 'cash' } } }] };
  expect(shown({ properties: { free, forms } })).toEqual([
    'free | any or string',
    'forms | any or object',
    'forms(form 2).kind | always "cash"',
  ]);
});

test('lists the fields of each form and of the definitions', () => {
  const schema = {
    properties: {
      payment: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'card' } } },
          { type: 'object', properties: { kind: { const: 'cash' } } },
        ],
      },
      seller: { $ref: '#/$defs/party' },
    },
    $defs: { party: { allOf: [{ type: 'object', properties: { name: { type: 'string' } } }] } },
  };
  expect(shown(schema)).toEqual([
    'payment | object or object',
    'payment(form 1).kind | always "card"',
    'payment(form 2).kind | always "cash"',
    'seller | #/$defs/party',
    '#/$defs/party | any',
    '#/$defs/party.name | string',
  ]);
});

test('a model without fields has one row, and a schema that is not an object has one too', () => {
  expect(shown({ enum: ['CAPTURED', 'REFUSED'] })).toEqual(['itself | "CAPTURED" or "REFUSED"']);
  expect(shown({})).toEqual(['itself | any']);
});

test('a schema that is nested too deeply is cut', () => {
  let schema: Record<string, unknown> = { type: 'string' };
  for (let depth = 0; depth < 20; depth += 1) schema = { properties: { deeper: schema } };
  const { rows, isCut } = schemaRows(schema);
  expect(rows).toHaveLength(8);
  expect(isCut).toBe(true);
});
