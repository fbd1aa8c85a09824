import { z } from 'zod';
import { type JsonSchema, mapInner } from './json-schema.ts';

/**
 * Facts about a schema that only the generated documents show. The schema does not check them, and MCP tools are published
 * without them.
 */
interface Documented {
  /** Name of the schema in documents. A document contains a named schema once and refers to it by this name. */
  readonly id?: string;
  /** Format of a text. It is not checked, because only the service sends this text. */
  readonly format?: 'date-time';
  /** Maximum of a number. A larger value is not refused; it counts as the maximum. */
  readonly maximum?: number;
  /** True for a list that must not contain an item twice. */
  readonly uniqueItems?: true;
}

/** The facts about each schema. The file that defines a schema adds its facts here. */
export const documented = z.registry<Documented>();

const substitutes = new WeakMap<object, z.ZodType>();

/**
 * Makes the generated documents show the schema `shown` in place of `schema`. Used if `schema` accepts more values than a
 * caller should send.
 */
export const documentAs = (schema: z.ZodType, shown: z.ZodType): void => void substitutes.set(schema, shown);

/**
 * Name of a temporary member that is added to a JSON Schema. The member contains the name of the schema. Later the whole
 * schema, including this member, is replaced by a reference.
 */
export const MARK = 'x-mark';

/** The value of {@link MARK}: the name of the schema. If the schema is a copy, it is the name of the original. */
export interface Mark {
  readonly name: string;
  /** True if the schema itself has the name. False if it is a copy of the schema that has the name. */
  readonly isOwn: boolean;
  /** The description of the named schema. A place that uses the schema may describe it in other words. */
  readonly description?: unknown;
}

/**
 * The JSON Schema of a value. Each named schema in it is marked with its name.
 *
 * @param io `input` for a value that a caller sends, `output` for a value that it gets
 */
export function documentedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const substitute = substitutes.get(zodSchema);
      if (substitute) replace(jsonSchema, documentedSchema(substitute, io));
      const { id: _id, ...keywords } = documented.get(zodSchema) ?? {};
      const mark = markOf(zodSchema, jsonSchema.description);
      Object.assign(jsonSchema, keywords, mark && { [MARK]: mark });
    },
  });
  return plain(json);
}

/**
 * The mark of a schema; undefined if it has no name. `describe` and checks return a copy of a schema; a copy gets the name
 * of its original.
 */
function markOf(schema: z.core.$ZodType, description: unknown): Mark | undefined {
  const name = documented.get(schema)?.id;
  if (name !== undefined) return { name, isOwn: true, description };
  const { parent } = schema._zod;
  const copied = parent && markOf(parent, description);
  return copied && { name: copied.name, isOwn: false };
}

/** Replaces the contents of a schema by those of another schema. Keeps the description. */
function replace(target: object, { description: _description, ...source }: JsonSchema): void {
  for (const key of Object.keys(target)) if (key !== 'description') Reflect.deleteProperty(target, key);
  Object.assign(target, source);
}

const DROPPED = new Set(['$schema', 'default', '~standard', 'propertyNames']);

/** Removes keywords that do not help a client, such as the bounds of a double in the schema of a whole number. */
function plain(schema: object): JsonSchema {
  const kept = Object.entries(schema).filter(([key, value]) => !DROPPED.has(key) && !isBoundOfNumbers(value));
  return mapInner(Object.fromEntries(kept), plain);
}

const isBoundOfNumbers = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
