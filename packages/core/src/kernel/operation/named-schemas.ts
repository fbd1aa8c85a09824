import type { z } from 'zod';
import { canonicalJson } from '../canonical.ts';
import { isRecord } from '../json-value.ts';
import { documentedSchema, MARK, type Mark } from './documented.ts';
import { type JsonSchema, mapInner } from './json-schema.ts';

/** Makes schemas in which references replace the named schemas. */
export interface NamedSchemas {
  /** The schema of an input, which refuses unknown members. */
  input(schema: z.ZodType): JsonSchema;
  /** The schema of an answer, to which later versions may add members. */
  output(schema: z.ZodType): JsonSchema;
  /** The named schemas, sorted by name. If a schema is both sent and returned, this is the form in which it is sent. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * Replaces schemas by references. A reference replaces a schema that is named by `documented`, a copy of such a schema with
 * other metadata, and a schema that is equal to a named one, such as another enumeration of the same texts.
 *
 * @param pathOf returns the reference for a name
 * @throws Error if one name stands for two schemas, or one schema has two names
 */
export function nameSchemas(
  inputs: readonly z.ZodType[],
  outputs: readonly z.ZodType[],
  pathOf: (name: string) => string,
): NamedSchemas {
  const sent = new Map(inputs.map((schema) => [schema, documentedSchema(schema, 'input')]));
  const given = new Map(outputs.map((schema) => [schema, open(documentedSchema(schema, 'output'))]));
  const named = new Map<string, JsonSchema>();
  const names = new Map<string, string>();
  for (const root of [...sent.values(), ...given.values()]) for (const schema of markedIn(root)) define(schema);

  function define({ [MARK]: mark, description: _outer, ...schema }: JsonSchema): void {
    const { name, isOwn, description }: Mark = Object(mark);
    if (!isOwn) return;
    const described = description === undefined ? schema : { ...schema, description };
    const known = named.get(name) ?? described;
    const other = names.get(likeness(described)) ?? name;
    if (shapeOf(known) !== shapeOf(described)) throw new Error(`Two schemas are named ${name}.`);
    if (other !== name) throw new Error(`${other} and ${name} name the same schema.`);
    named.set(name, known);
    names.set(likeness(described), name);
  }

  function refer(schema: JsonSchema): JsonSchema {
    const { name: marked = '' }: Partial<Mark> = Object(schema[MARK]);
    const known = named.get(marked);
    const name = known && shapeOf(known) === shapeOf(schema) ? marked : names.get(likeness(schema));
    if (name === undefined) return inside(schema);
    const { description } = schema;
    const isOwn = description === undefined || description === named.get(name)?.description;
    return isOwn ? { $ref: pathOf(name) } : { $ref: pathOf(name), description };
  }

  const inside = ({ [MARK]: _mark, ...schema }: JsonSchema): JsonSchema => mapInner(schema, refer);
  return {
    input: (schema) => refer(sent.get(schema) ?? {}),
    output: (schema) => refer(given.get(schema) ?? {}),
    components: Object.fromEntries([...named.keys()].sort().map((name) => [name, inside(named.get(name) ?? {})])),
  };
}

function markedIn(schema: JsonSchema): JsonSchema[] {
  const found: JsonSchema[] = schema[MARK] === undefined ? [] : [schema];
  mapInner(schema, (inner) => {
    found.push(...markedIn(inner));
    return inner;
  });
  return found;
}

/**
 * Key for finding schemas that are to be shown once. Equal keys mean: enumerations of the same texts, or other schemas that are
 * equal including their description.
 */
const likeness = (schema: JsonSchema): string =>
  schema.enum === undefined ? `${shapeOf(schema)} ${String(schema.description)}` : shapeOf(schema);

/**
 * Key of the values that a schema accepts. Schemas that differ only in whether they allow unknown members have the same key.
 */
const shapeOf = ({ description: _description, ...schema }: JsonSchema): string => canonicalJson(bare(open(schema)));

const bare = ({ [MARK]: _mark, ...schema }: JsonSchema): JsonSchema => mapInner(schema, bare);

/** The schema without `additionalProperties`. A schema in its place, which restricts the values of further members, is kept. */
function open({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  const isRestricting = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return mapInner(isRestricting ? { ...schema, additionalProperties } : schema, open);
}
