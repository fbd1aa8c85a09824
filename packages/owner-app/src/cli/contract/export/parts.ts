import { isRecord } from '@parley/core/json';
import type { Json } from '../../../text/read-as.ts';
import { isSchema } from './json-schema.ts';

/** A part of an operation, which a contract describes in free JSON. */
export type Part =
  | { readonly kind: 'schema'; readonly schema: unknown }
  | { readonly kind: 'example'; readonly example: unknown }
  | { readonly kind: 'text'; readonly text: string };

/**
 * What a part of an operation is. A JSON Schema is a schema, and so is an object of which at least one member is one: it lists members. The
 * id of a data model alone is that model. Another text is a sentence, and every other value is an example. Nothing is added: a
 * sentence becomes no type, and no member becomes required.
 */
export function partOf(value: unknown, models: ReadonlySet<string>): Part | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') {
    const text = value.trim();
    if (text === '') return undefined;
    return models.has(text) ? { kind: 'schema', schema: { $ref: text } } : { kind: 'text', text };
  }
  if (isSchema(value)) return { kind: 'schema', schema: value };
  return isRecord(value) && Object.values(value).some(isSchema)
    ? { kind: 'schema', schema: { type: 'object', properties: membersOf(value, models) } }
    : { kind: 'example', example: value };
}

const membersOf = (value: Json, models: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, schemaOf(partOf(member, models))]));

/** A part as a JSON Schema, which allows every value where the contract has no schema. */
function schemaOf(part: Part | undefined): unknown {
  if (part === undefined) return {};
  if (part.kind === 'schema') return part.schema;
  return part.kind === 'text' ? { description: part.text } : { examples: [part.example] };
}

/** A part as a parameter or a header of OpenAPI. */
export function parameterOf(part: Part | undefined): Json {
  if (part === undefined) return { schema: {} };
  if (part.kind === 'text') return { description: part.text, schema: {} };
  return part.kind === 'schema' ? { schema: part.schema } : { schema: {}, example: part.example };
}

/** The decisions that texts of a value cite. */
export const citedIn = (value: unknown, decisions: readonly string[]): string[] => {
  const text = JSON.stringify(value) ?? '';
  return decisions.filter((id) => new RegExp(`(?<![\\w-])${id.replace(/\W/g, '\\$&')}(?![\\w-])`).test(text));
};
