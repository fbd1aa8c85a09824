import { z } from 'zod';
import { type JsonSchema, mapInner } from './json-schema.ts';

/** Facts about a schema that generated documents show in addition to its checks. Published tools do not show them. */
interface Documented {
  /** Name of the schema in documents. A document contains the schema once, and refers to it by this name. */
  readonly id?: string;
  /** Format of a text that is not checked, because only the service sends it. */
  readonly format?: 'date-time';
  /** Maximum of a number. A larger value is not refused, but counts as the maximum. */
  readonly maximum?: number;
  /** True for a list that must not contain an item twice. */
  readonly uniqueItems?: true;
}

/** The facts of each schema. They are added where the schema is defined. */
export const documented = z.registry<Documented>();

const substitutes = new WeakMap<object, z.ZodType>();

/** Makes documents show another schema in place of this one, which accepts more values than a caller should send. */
export const documentAs = (schema: z.ZodType, shown: z.ZodType): void => void substitutes.set(schema, shown);

/** Member that marks a schema with its name, until references replace the marked schemas. */
export const MARK = 'x-mark';

/** The name of a schema, or of the schema that it was copied from. */
export interface Mark {
  readonly name: string;
  /** Whether the name was given to this schema itself, and not to the schema that it was copied from. */
  readonly isOwn: boolean;
  /** The description of the named schema. A place that uses the schema may have another description. */
  readonly description?: unknown;
}

/** The JSON Schema of a value that a caller sends (`input`) or gets back (`output`), with the marks. */
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

/** The mark of a schema. `describe` and checks return a copy of a schema; the copy refers to its original. */
function markOf(schema: z.core.$ZodType, description: unknown): Mark | undefined {
  const name = documented.get(schema)?.id;
  if (name !== undefined) return { name, isOwn: true, description };
  const { parent } = schema._zod;
  const copied = parent && markOf(parent, description);
  return copied && { name: copied.name, isOwn: false };
}

/** Replaces the contents of a schema by those of another one. The description stays. */
function replace(target: object, { description: _description, ...source }: JsonSchema): void {
  for (const key of Object.keys(target)) if (key !== 'description') Reflect.deleteProperty(target, key);
  Object.assign(target, source);
}

const DROPPED = new Set(['$schema', 'default', '~standard', 'propertyNames']);

/** Removes keywords that are of no use to a client, such as the bounds of a double on whole numbers. */
function plain(schema: object): JsonSchema {
  const kept = Object.entries(schema).filter(([key, value]) => !DROPPED.has(key) && !isBoundOfNumbers(value));
  return mapInner(Object.fromEntries(kept), plain);
}

const isBoundOfNumbers = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
