import { z } from 'zod';
import { type JsonSchema, mapInner } from './json-schema.ts';

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

const substitutes = new WeakMap<object, z.ZodType>();

/**
 * Makes the generated documents contain the schema `shown` in place of `schema`, which accepts more values than a caller should
 * send.
 */
export const documentAs = (schema: z.ZodType, shown: z.ZodType): void => void substitutes.set(schema, shown);

/**
 * Name of a member that `documentedSchema` adds to the JSON Schema of a named schema. `nameSchemas` removes the member,
 * and replaces the JSON Schema by a reference to the name.
 */
export const MARK = 'x-mark';

/** The value of the member `MARK`. If the schema is a copy, `name` is the name of the original. */
export interface Mark {
  readonly name: string;
  /** True if the schema itself has the name. False if it is a copy of the schema that has the name. */
  readonly isOwn: boolean;
  /** The description of the named schema. Absent in a copy, which can have another description. */
  readonly description?: unknown;
}

/**
 * Returns the JSON Schema of a value. Each named schema in it is marked with its name.
 *
 * @param io `input` for a value that a caller sends, `output` for a value that a caller gets
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
 * The mark of a schema; undefined if the schema has no name. zod's `describe` and checks copy a schema, and the copy gets the name
 * of its original.
 */
function markOf(schema: z.core.$ZodType, description: unknown): Mark | undefined {
  const name = documented.get(schema)?.id;
  if (name !== undefined) return { name, isOwn: true, description };
  const { parent } = schema._zod;
  const copied = parent && markOf(parent, description);
  return copied && { name: copied.name, isOwn: false };
}

/** Replaces the keywords of the JSON Schema `target` by those of `source`, but keeps the description of `target`. */
function replace(target: object, { description: _description, ...source }: JsonSchema): void {
  for (const key of Object.keys(target)) if (key !== 'description') Reflect.deleteProperty(target, key);
  Object.assign(target, source);
}

const DROPPED = new Set(['$schema', 'default', '~standard', 'propertyNames']);

/**
 * Removes the keywords in `DROPPED`, the pattern that zod adds beside a format such as date-time, and the bounds of safe
 * integers that zod adds to each whole number.
 */
function plain(schema: object): JsonSchema {
  const isDropped = (key: string): boolean => DROPPED.has(key) || (key === 'pattern' && 'format' in schema);
  const kept = Object.entries(schema).filter(([key, value]) => !isDropped(key) && !isBoundOfNumbers(value));
  return mapInner(Object.fromEntries(kept), plain);
}

const isBoundOfNumbers = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
