import { z } from 'zod';
import { isRecord } from '../text/json-value.ts';

/**
 * A JSON Schema object (draft 2020-12). It uses only the keywords that MCP clients accept. `$schema`, `$ref` and `default` do not
 * occur.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const DROPPED = new Set(['$schema', 'default', '~standard', 'id', '$id']);
/** Keywords whose value is data, not a schema. */
const LITERAL = new Set(['enum', 'const', 'examples', 'required']);

/** The JSON Schema of an input, as tools/list and the generated documents publish it. */
export function publishedSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    reused: 'inline',
    unrepresentable: 'any',
  });
  const subset = narrow(json);
  return subset.type === 'object' && subset.properties === undefined ? { ...subset, properties: {} } : subset;
}

export const outputSchema = (schema: z.ZodType): JsonSchema =>
  narrow(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12', reused: 'inline', unrepresentable: 'any' }));

function narrow(node: object): JsonSchema {
  const entries = Object.entries(node).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, narrowMember(key, value)]));
}

function narrowMember(key: string, value: unknown): unknown {
  if (LITERAL.has(key)) return value;
  if (key === 'properties' && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isRecord(inner) ? narrow(inner) : inner]),
    );
  }
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? narrow(item) : item));
  return isRecord(value) ? narrow(value) : value;
}

const OUTLINE_KEYWORDS = new Set(['type', 'properties', 'required', 'items', 'anyOf', 'enum', 'const']);

/** Reduces a schema to the names and types of members, the required members and the allowed values. */
export const outlineSchema = (schema: JsonSchema): JsonSchema =>
  mapInner(
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => OUTLINE_KEYWORDS.has(keyword))),
    outlineSchema,
  );

/** Returns the schema with each direct subschema replaced by the result of a function. */
export const mapInner = (schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapKeyword(key, value, change)]));

function mapKeyword(key: string, value: unknown, change: (inner: JsonSchema) => JsonSchema): unknown {
  if (key === 'properties' && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(Object(inner))]));
  }
  if (key === 'anyOf' && Array.isArray(value)) return value.map((inner) => change(Object(inner)));
  return (key === 'items' || key === 'additionalProperties') && isRecord(value) ? change({ ...value }) : value;
}
