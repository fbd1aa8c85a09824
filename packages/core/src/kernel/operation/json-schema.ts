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

/** Options of zod beside what every conversion sets. */
export type ConversionOptions = Pick<z.core.ToJSONSchemaParams, 'metadata' | 'override'>;

/** Converts a schema. Only schemas that `metadata` names become references. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', options: ConversionOptions = {}): JsonSchema {
  const json = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any', ...options });
  const { $schema: _version, ...keywords }: JsonSchema = Object(json);
  return keywords;
}

/** The JSON Schema of an input, as tools/list and the generated documents publish it. */
export function publishedSchema(schema: z.ZodType): JsonSchema {
  const json = jsonSchemaOf(schema, 'input');
  return json.type === 'object' && json.properties === undefined ? { ...json, properties: {} } : json;
}

export const outputSchema = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, 'output');

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
