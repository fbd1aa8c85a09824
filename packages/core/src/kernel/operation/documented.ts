import { z } from 'zod';
import { type JsonSchema, mapInner } from './json-schema.ts';

/** What documents of the interface say of a schema beside what it checks. Tools are published without it. */
interface Documented {
  /** The name under which documents hold the schema once; everywhere else they refer to it. */
  readonly id?: string;
  /** What a text says, where it is not checked because no caller sends it. */
  readonly format?: 'date-time';
  /** For a number that counts as this one when it is larger. */
  readonly maximum?: number;
  /** For a list that is refused when it names something twice. */
  readonly uniqueItems?: true;
}

/** Filled where the schemas are defined. */
export const documented = z.registry<Documented>();

const substitutes = new WeakMap<object, z.ZodType>();

/** Lets documents show another schema for one that takes more than a caller should send. */
export const documentAs = (schema: z.ZodType, shown: z.ZodType): void => void substitutes.set(schema, shown);

/** Where a documented schema carries what it is called, until the names become references. */
export const MARK = 'x-mark';

/** What a schema is called, or the one that it describes anew. */
export interface Mark {
  readonly name: string;
  /** Whether the name was given to this very schema. */
  readonly isOwn: boolean;
  /** What the named schema says of itself; what is around it may say something else. */
  readonly description?: unknown;
}

/** What a caller sends (`input`) or gets back (`output`) for a schema, with the marks in it. */
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

/** `describe` and checks make a copy that knows what it was made of. */
function markOf(schema: z.core.$ZodType, description: unknown): Mark | undefined {
  const name = documented.get(schema)?.id;
  if (name !== undefined) return { name, isOwn: true, description };
  const { parent } = schema._zod;
  const copied = parent && markOf(parent, description);
  return copied && { name: copied.name, isOwn: false };
}

/** The description of what is replaced stays. */
function replace(target: object, { description: _description, ...source }: JsonSchema): void {
  for (const key of Object.keys(target)) if (key !== 'description') Reflect.deleteProperty(target, key);
  Object.assign(target, source);
}

const DROPPED = new Set(['$schema', 'default', '~standard', 'propertyNames']);

/** Without keywords that tell a client nothing; the bounds of whole numbers are those of every JSON reader. */
function plain(schema: object): JsonSchema {
  const kept = Object.entries(schema).filter(([key, value]) => !DROPPED.has(key) && !isBoundOfNumbers(value));
  return mapInner(Object.fromEntries(kept), plain);
}

const isBoundOfNumbers = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
