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
type ConversionOptions = Pick<z.core.ToJSONSchemaParams, 'metadata' | 'override'>;

/** Converts a schema. Only schemas that `metadata` names become references. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', options: ConversionOptions = {}): JsonSchema {
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

/**
 * Facts about a schema that appear only in the generated documents. The schema does not check them, and the published MCP tools do
 * not contain them.
 */
interface Documented {
  /** Name of the schema in documents. A document contains a named schema once, and refers to the name elsewhere. */
  readonly id?: string;
  /** Format of a text. It is not checked, because only the service sends this text. */
  readonly format?: 'date-time';
  /** Maximum of a number. A larger value is not refused; it counts as the maximum. */
  readonly maximum?: number;
  /** True for a list that must not contain an item twice. */
  readonly uniqueItems?: true;
}

/** The `Documented` facts about each schema. The file that defines a schema adds its facts here. */
export const documented = z.registry<Documented>();

/** An object whose schema the documents name. */
export const namedObject = <S extends z.ZodRawShape>(id: string, shape: S) =>
  z.strictObject(shape).register(documented, { id });

const substitutes = new WeakMap<object, z.ZodType>();

/**
 * Makes the generated documents contain the schema `shown` in place of `schema`, which accepts more values than a caller should
 * send.
 */
export const documentAs = (schema: z.ZodType, shown: z.ZodType): void => void substitutes.set(schema, shown);

/**
 * Converts the schemas of inputs and answers to JSON Schema. These become references: schemas that `documented` names; copies of these schemas,
 * which zod's `describe` and checks make; and enumerations of the same texts as a named enumeration.
 *
 * @param pathOf returns the reference for a name
 * @throws Error if two schemas have the same name
 */
export function nameSchemas(
  inputs: readonly z.ZodType[],
  outputs: readonly z.ZodType[],
  pathOf: (name: string) => string,
) {
  const bearers = new Map<string, z.core.$ZodType>();
  const sent = documentedSchemas(inputs, 'input', bearers);
  const given = documentedSchemas(outputs, 'output', bearers);
  const named = { ...given.named, ...sent.named };
  const enumerations = new Map(Object.entries(named).map(([name, schema]) => [String(schema.enum), name]));

  function nameOf(schema: JsonSchema): string | undefined {
    if (schema.$ref !== undefined) return String(schema.$ref).slice(DEFINITION.length);
    return schema.enum === undefined ? undefined : enumerations.get(String(schema.enum));
  }

  function refer(schema: JsonSchema): JsonSchema {
    const name = nameOf(schema);
    if (name === undefined) return mapInner(schema, refer);
    const { $ref: _reference, ...keywords } = schema;
    const known = named[name] ?? {};
    const own = Object.entries(keywords).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key]));
    return { $ref: pathOf(name), ...Object.fromEntries(own) };
  }

  const define = (schema: JsonSchema) => (schema.$ref === undefined ? mapInner(schema, refer) : refer(schema));
  const names = Object.keys(named).sort();
  return {
    /** The JSON Schema of an input. It refuses unknown members. */
    input: (schema: z.ZodType): JsonSchema => refer(sent.of.get(schema) ?? {}),
    /** The JSON Schema of an answer. It allows unknown members, because later versions may add members. */
    output: (schema: z.ZodType): JsonSchema => refer(given.of.get(schema) ?? {}),
    /** The named schemas. One of both inputs and answers has its form for inputs, which refuses unknown members. */
    components: Object.fromEntries(names.map((name) => [name, define(named[name] ?? {})])),
  };
}

/** How zod begins the reference to a named schema. */
const DEFINITION = '#/$defs/';

interface Converted {
  /** The JSON Schema of each schema. */
  readonly of: ReadonlyMap<z.ZodType, JsonSchema>;
  /** The named schemas in them. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/**
 * Converts schemas with references of zod. They are converted together, so that zod finds a name that stands for two.
 *
 * @param bearers the schema of each name, of this conversion and of those before it
 */
function documentedSchemas(
  schemas: readonly z.ZodType[],
  io: 'input' | 'output',
  bearers: Map<string, z.core.$ZodType>,
): Converted {
  const named: Record<string, JsonSchema> = {};
  const jsonOf = (schema: z.ZodType): JsonSchema => {
    const { $defs, ...json } = jsonSchemaOf(schema, io, {
      metadata: documented,
      override: ({ zodSchema, jsonSchema }) => {
        const substitute = substitutes.get(zodSchema);
        if (substitute) replace(jsonSchema, jsonOf(substitute));
        simplify(jsonSchema, io);
        const { id: _id, description, ...facts } = z.globalRegistry.get(zodSchema) ?? {};
        if (description !== undefined) jsonSchema.description = description;
        if (jsonSchema.$ref === undefined) Object.assign(jsonSchema, facts);
        const { id } = documented.get(zodSchema) ?? {};
        if (id === undefined) return;
        if ((bearers.get(id) ?? zodSchema) !== zodSchema) throw new Error(`Two schemas are named ${id}.`);
        bearers.set(id, zodSchema);
      },
    });
    Object.assign(named, $defs);
    return json;
  };
  const { properties = {} } = jsonOf(z.object(Object.fromEntries(schemas.entries())));
  return { of: new Map(schemas.map((schema, index) => [schema, properties[index] ?? {}])), named };
}

/** Replaces the keywords of the JSON Schema `target` by those of `source`, without its description. */
function replace(target: z.core.JSONSchema.BaseSchema, { description: _description, ...source }: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}

/**
 * Removes keywords that say nothing to a caller: defaults, the schemas of member names, the pattern that zod adds beside a format
 * such as date-time, and the bounds of safe integers that zod adds to each whole number. An answer may have unknown members.
 */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  const { additionalProperties, format, minimum, maximum } = schema;
  delete schema.default;
  delete schema.propertyNames;
  if (format !== undefined) delete schema.pattern;
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  const isRestricting = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0;
  if (io === 'output' && !isRestricting) delete schema.additionalProperties;
}
