import { parseJson } from '../text/json-text.ts';
import { isRecord } from '../text/json-value.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Converts an input to the types that its published schema declares, before it is validated. In an optional member, null
 * counts as absent. An empty string counts as absent too if the schema declares a string. If the schema declares an object,
 * array, number or boolean, a string is parsed, because a query contains only text and some clients send JSON as text.
 */
export const coerceInput = (schema: JsonSchema, value: unknown): unknown => createReader()(schema, value);

/**
 * Returns a function like `coerceInput`, for several values of one body. After `MAX_MALFORMED` texts in these values
 * together were not valid JSON, the function parses no further text as JSON.
 */
export function createReader(): (schema: JsonSchema, value: unknown) => unknown {
  const failures = { malformed: 0 };
  return (schema, value) => coerce(schema, value, failures);
}

/**
 * Maximum number of failed attempts to parse a text in one body. Later texts are not parsed, because a body with 50,000
 * malformed texts would take 2.5 s.
 */
const MAX_MALFORMED = 20;

interface Failures {
  malformed: number;
}

function coerce(schema: JsonSchema, value: unknown, failures: Failures): unknown {
  if (schema.anyOf) return coerceAnyOf(schema.anyOf, value, failures);
  if (typeof value === 'string') return coerceText(schema, value, failures);
  return coerceInside(schema, value, failures);
}

function coerceInside(schema: JsonSchema, value: unknown, failures: Failures): unknown {
  if (isRecord(value) && schema.properties) return coerceMembers(schema, value, failures);
  const { items } = schema;
  return Array.isArray(value) && items ? coerceItems(items, value, failures) : value;
}

function coerceItems(schema: JsonSchema, items: readonly unknown[], failures: Failures): readonly unknown[] {
  const coerced = items.map((item) => coerce(schema, item, failures));
  return coerced.every((item, index) => item === items[index]) ? items : coerced;
}

/** Converts the members of an object. If no member changes, returns the object itself. */
function coerceMembers(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  failures: Failures,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const declared = ownMember(schema.properties, name);
    if (!declared) continue;
    const member = value[name];
    const isLeftOut = !schema.required?.includes(name) && isAbsent(declared, member);
    const coerced = isLeftOut ? undefined : coerce(declared, member, failures);
    if (!isLeftOut && coerced === member) continue;
    changed ??= { ...value };
    if (isLeftOut) delete changed[name];
    else changed[name] = coerced;
  }
  return changed ?? value;
}

/**
 * Whether a client sent this value in place of leaving out an optional member: null, or an empty text if the schema declares a
 * text.
 */
const isAbsent = (declared: JsonSchema, member: unknown): boolean =>
  member === null ? !isAnyValue(declared) : member === '' && declared.type === 'string';

/** Whether a schema declares no type. Such a schema accepts every value, also null. */
const isAnyValue = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => keyword === 'description');

const ownMember = (properties: JsonSchema['properties'], name: string): JsonSchema | undefined =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

function coerceAnyOf(branches: readonly JsonSchema[], value: unknown, failures: Failures): unknown {
  const kind = kindOf(value);
  const branch = branches.find(({ type }) => type === kind);
  if (branch) return kind === 'string' ? value : coerceInside(branch, value, failures);
  if (typeof value !== 'string') return value;
  for (const schema of branches) {
    const coerced = coerceText(schema, value, failures);
    if (coerced !== value) return coerced;
  }
  return value;
}

/**
 * Converts a text to the declared type. If that is not possible, returns the text itself; the validation then reports the
 * value that the client sent.
 */
function coerceText(schema: JsonSchema, text: string, failures: Failures): unknown {
  switch (schema.type) {
    case 'object':
      return /^\s*\{/.test(text) ? coerceParsed(schema, text, failures) : text;
    case 'array':
      return /^\s*\[/.test(text) ? coerceParsed(schema, text, failures) : text;
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    default:
      return text;
  }
}

function coerceParsed(schema: JsonSchema, text: string, failures: Failures): unknown {
  if (failures.malformed === MAX_MALFORMED) return text;
  try {
    return coerceInside(schema, parseJson(text), failures);
  } catch {
    failures.malformed += 1;
    return text;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
