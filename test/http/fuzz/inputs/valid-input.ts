import type { JsonSchema } from '@parley/core';
import fc from 'fast-check';
import { NAMED } from './named-values.ts';

const MAX_ITEMS = 3;
const MAX_CHARS = 60;

/** Generates values for a published schema. Numbers in ids are small, so that many of the ids exist. */
export function validInput(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validInput));
  switch (schema.type) {
    case 'object':
      return validObject(schema);
    case 'array':
      return fc.array(validInput(schema.items ?? {}), {
        minLength: numberIn(schema, 'minItems'),
        maxLength: MAX_ITEMS,
      });
    case 'string':
      return validText(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: numberIn(schema, 'minimum'), max: Math.min(30, numberIn(schema, 'maximum', 30)) });
    case 'boolean':
      return fc.boolean();
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`no values for the schema ${JSON.stringify(schema)}`);
  }
}

function validObject({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, member] of Object.entries(properties)) members[name] = NAMED[name] ?? validInput(member);
  return fc.record(members, { requiredKeys: [...required] });
}

function validText(schema: JsonSchema): fc.Arbitrary<string> {
  const prefix = /^\^([a-z]+_)\[1-9\]/.exec(String(schema.pattern ?? ''))?.[1];
  if (prefix !== undefined) return fc.integer({ min: 1, max: 9 }).map((number) => `${prefix}${number}`);
  if (schema.pattern !== undefined && schema.pattern !== '\\S')
    return fc.stringMatching(new RegExp(String(schema.pattern)));
  const maxLength = Math.min(MAX_CHARS, numberIn(schema, 'maxLength', MAX_CHARS) - 1);
  return fc.oneof(
    WORDS,
    fc.string({ maxLength, unit: 'grapheme' }).map((text) => `.${text}`),
  );
}

/** Few texts, so that the same topics and questions occur several times. */
const WORDS = fc.constantFrom(
  'Cursor',
  'cursor ',
  'Retry policy',
  'Is it indexed?',
  'Offsets hurt.',
  '{"json":"text"}',
);

function numberIn(schema: JsonSchema, keyword: string, fallback = 0): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : fallback;
}
