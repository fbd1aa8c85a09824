import type { JsonSchema } from './json-schema.ts';
import { parseJson } from './json-text.ts';

/** Where an input came from: a query string knows only text, a JSON body only lacks what clients put into strings. */
export type InputSource = 'query' | 'json';

/**
 * Meets clients half-way before validation, led by the published schema: null for an optional member counts as absent,
 * unless the member may be any value; a JSON string where an object, an array or a number is declared is parsed; from a
 * query also booleans.
 */
export function coerceInput(schema: JsonSchema, value: unknown, source: InputSource): unknown {
  if (schema.anyOf) return coerceAnyOf(schema.anyOf, value, source);
  if (typeof value === 'string') return coerceText(schema, value, source);
  return coerceInside(schema, value, source);
}

function coerceInside(schema: JsonSchema, value: unknown, source: InputSource): unknown {
  if (isRecord(value) && schema.properties) return coerceMembers(schema, value, source);
  const { items } = schema;
  return Array.isArray(value) && items ? coerceItems(items, value, source) : value;
}

function coerceItems(schema: JsonSchema, items: readonly unknown[], source: InputSource): readonly unknown[] {
  const coerced = items.map((item) => coerceInput(schema, item, source));
  return coerced.every((item, index) => item === items[index]) ? items : coerced;
}

/** The value itself where nothing in it has to change, as in nearly all. */

function coerceMembers(
  schema: JsonSchema,
  value: Record<string, unknown>,
  source: InputSource,
): Record<string, unknown> {
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const declared = ownMember(schema.properties, name);
    if (!declared) continue;
    const member = value[name];
    const isLeftOut = member === null && !schema.required?.includes(name) && !isAnyValue(declared);
    const coerced = isLeftOut ? undefined : coerceInput(declared, member, source);
    if (!isLeftOut && coerced === member) continue;
    changed ??= { ...value };
    if (isLeftOut) delete changed[name];
    else changed[name] = coerced;
  }
  return changed ?? value;
}

/** A schema that only describes takes every value, null too. */
const isAnyValue = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => keyword === 'description');

const ownMember = (properties: JsonSchema['properties'], name: string): JsonSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

function coerceAnyOf(branches: readonly JsonSchema[], value: unknown, source: InputSource): unknown {
  const kind = kindOf(value);
  const branch = branches.find(({ type }) => type === kind) ?? branches[0];
  return branch && kind !== 'string' ? coerceInside(branch, value, source) : value;
}

function coerceText(schema: JsonSchema, text: string, source: InputSource): unknown {
  switch (schema.type) {
    case 'object':
    case 'array':
      return coerceInside(schema, parsed(text), source);
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return source === 'query' && (text === 'true' || text === 'false') ? text === 'true' : text;
    default:
      return text;
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
