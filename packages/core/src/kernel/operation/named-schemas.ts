import type { z } from 'zod';
import { canonicalJson } from '../text/canonical.ts';
import { isRecord } from '../text/json-value.ts';
import { documentedSchema, MARK, type Mark } from './documented.ts';
import { type JsonSchema, mapInner } from './json-schema.ts';

/** Converts schemas to JSON Schema, in which a schema with a name is a reference to that name. */
export interface NamedSchemas {
  /** The JSON Schema of an input. It refuses unknown members. */
  input(schema: z.ZodType): JsonSchema;
  /** The JSON Schema of an answer. It allows unknown members, because later versions may add members. */
  output(schema: z.ZodType): JsonSchema;
  /**
   * The named schemas, sorted by name. A schema of both inputs and answers is listed in its form for inputs, which
   * refuses unknown members.
   */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/**
 * Creates the converter. Three kinds of schemas become references: schemas that `documented` names; copies of these
 * schemas with another description; and schemas that equal a named schema, such as another enumeration of the same
 * texts.
 *
 * @param pathOf returns the reference for a name
 * @throws Error if one name stands for two schemas, or if one schema has two names
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
    const other = names.get(schemaKey(described)) ?? name;
    if (shapeKey(known) !== shapeKey(described)) throw new Error(`Two schemas are named ${name}.`);
    if (other !== name) throw new Error(`${other} and ${name} name the same schema.`);
    named.set(name, known);
    names.set(schemaKey(described), name);
  }

  function refer(schema: JsonSchema): JsonSchema {
    const { name: marked = '' }: Partial<Mark> = Object(schema[MARK]);
    const known = named.get(marked);
    const name = known && shapeKey(known) === shapeKey(schema) ? marked : names.get(schemaKey(schema));
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
 * A key that is equal for schemas that become one named schema: enumerations of the same texts, and other schemas whose members and
 * descriptions are equal.
 */
const schemaKey = (schema: JsonSchema): string =>
  schema.enum === undefined ? `${shapeKey(schema)} ${String(schema.description)}` : shapeKey(schema);

/** A key that is equal for schemas that accept the same members and types, whether or not they allow unknown members. */
const shapeKey = ({ description: _description, ...schema }: JsonSchema): string => canonicalJson(bare(open(schema)));

const bare = ({ [MARK]: _mark, ...schema }: JsonSchema): JsonSchema => mapInner(schema, bare);

/**
 * Returns the schema without `additionalProperties: false` or `{}`. A schema in `additionalProperties` is kept, because it
 * restricts further members.
 */
function open({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  const isRestricting = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return mapInner(isRestricting ? { ...schema, additionalProperties } : schema, open);
}
