import type { Path } from '../text/json-reading.ts';
import { readJson } from '../text/json-reading.ts';
import { isRecord } from '../text/json-value.ts';
import { refuseJsonFault } from './input.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Converts an input to the types that its published schema declares, before it is validated. In an optional member, null
 * and an empty string count as absent. If the schema declares an object, array, number or boolean, a string is parsed, because a
 * query contains only text and some clients send JSON as text.
 *
 * @throws ParleyError INVALID_INPUT for a string that is JSON with a fault, such as a member named twice
 */
export const coerceInput = (schema: JsonSchema, value: unknown): unknown => createReader()(schema, value);

/**
 * Returns a function like `coerceInput`, for several values of one body. After `MAX_MALFORMED` texts in these values
 * together were not valid JSON, the function parses no further text as JSON.
 */
export function createReader(): (schema: JsonSchema, value: unknown, at?: Path) => unknown {
  const reading: Reading = { malformed: 0, path: [] };
  return (schema, value, at = []) => {
    reading.path = [...at];
    return coerce(schema, value, reading);
  };
}

/**
 * Maximum number of failed attempts to parse a text in one body. Later texts are not parsed, because a body with 50,000
 * malformed texts would take 2.5 s.
 */
const MAX_MALFORMED = 20;

interface Reading {
  /** Number of texts that were not valid JSON. */
  malformed: number;
  /** Path of the value that is being converted. */
  path: (string | number)[];
}

function coerce(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (schema.anyOf) return coerceAnyOf(schema.anyOf, value, reading);
  if (typeof value === 'string') return coerceText(schema, value, reading);
  return coerceInside(schema, value, reading);
}

function coerceInside(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  if (isRecord(value) && schema.properties) return coerceMembers(schema, value, reading);
  const { items } = schema;
  return Array.isArray(value) && items ? coerceItems(items, value, reading) : value;
}

function coerceItems(schema: JsonSchema, items: readonly unknown[], reading: Reading): readonly unknown[] {
  const coerced = items.map((item, index) => coerceAt(index, schema, item, reading));
  return coerced.every((item, index) => item === items[index]) ? items : coerced;
}

function coerceAt(place: string | number, schema: JsonSchema, value: unknown, reading: Reading): unknown {
  reading.path.push(place);
  const coerced = coerce(schema, value, reading);
  reading.path.pop();
  return coerced;
}

/** Converts the members of an object. If no member changes, returns the object itself. */
function coerceMembers(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  reading: Reading,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const declared = ownMember(schema.properties, name);
    if (!declared) continue;
    const member = value[name];
    const isLeftOut = !schema.required?.includes(name) && isAbsent(declared, member);
    const coerced = isLeftOut ? undefined : coerceAt(name, declared, member, reading);
    if (!isLeftOut && coerced === member) continue;
    changed ??= { ...value };
    if (isLeftOut) delete changed[name];
    else changed[name] = coerced;
  }
  return changed ?? value;
}

/** Whether a client sent this value in place of leaving out an optional member: null or an empty text. */
const isAbsent = (declared: JsonSchema, member: unknown): boolean =>
  (member === null || member === '') && !isAnyValue(declared);

/** Whether a schema declares no type. Such a schema accepts every value, also null. */
const isAnyValue = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => keyword === 'description');

const ownMember = (properties: JsonSchema['properties'], name: string): JsonSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

function coerceAnyOf(branches: readonly JsonSchema[], value: unknown, reading: Reading): unknown {
  const kind = kindOf(value);
  const branch = branches.find(({ type }) => type === kind);
  if (branch) return kind === 'string' ? value : coerceInside(branch, value, reading);
  if (typeof value !== 'string') return value;
  for (const schema of branches) {
    const coerced = coerceText(schema, value, reading);
    if (coerced !== value) return coerced;
  }
  return value;
}

/**
 * Converts a text to the declared type. If that is not possible, returns the text itself; the validation then reports the
 * value that the client sent.
 */
function coerceText(schema: JsonSchema, text: string, reading: Reading): unknown {
  switch (schema.type) {
    case 'object':
      return /^\s*\{/.test(text) ? coerceParsed(schema, text, reading) : text;
    case 'array':
      return /^\s*\[/.test(text) ? coerceParsed(schema, text, reading) : text;
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    default:
      return text;
  }
}

function coerceParsed(schema: JsonSchema, text: string, reading: Reading): unknown {
  if (reading.malformed === MAX_MALFORMED) return text;
  const { value, fault, malformed } = readJson(text, { at: reading.path });
  if (malformed === undefined) return fault ? refuseJsonFault(fault) : coerceInside(schema, value, reading);
  reading.malformed += 1;
  return text;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
