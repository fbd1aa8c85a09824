import { CHOSEN_ID } from '@parley/core/text';
import { type Json, readAs } from '../../../text/read-as.ts';
import type { ContractFile } from '../contract-file.ts';
import { DEFAULT_DIALECT, type References, schemaFault, withReferences } from './json-schema.ts';

export interface Operation {
  readonly name: string;
  readonly request: unknown;
  readonly response: unknown;
  readonly errors: unknown;
}

export interface Interface {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly provider: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** A contract as the formats of an export read it. */
export interface Source {
  readonly file: ContractFile;
  readonly title: string;
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly interfaces: readonly Interface[];
  /** The data models whose schemas are valid, by id. */
  readonly models: ReadonlyMap<string, { readonly name: string; readonly schema: unknown }>;
  readonly ids: ReadonlySet<string>;
  /** Notes in a line what an export cannot take. */
  readonly leave: (line: string) => void;
}

export function sourceOf(file: ContractFile, leave: Source['leave']): Source {
  const { title, summary, decisions, interfaces, data_models } = readAs(file.contract, {
    title: 'text',
    summary: 'text',
    decisions: 'texts',
    interfaces: 'records',
    data_models: 'records',
  });
  const models = new Map<string, { readonly name: string; readonly schema: unknown }>();
  for (const model of data_models) {
    const { id, name, json_schema: schema } = readAs(model, { id: 'text', name: 'text', json_schema: 'any' });
    // The id becomes the name of a file and of a member: no hidden file, and no name that every object has.
    const fault = CHOSEN_ID.test(id) ? schemaFault(schema) : 'its id is no id of a contract';
    if (fault === undefined) models.set(id, { name, schema });
    else leave(`${id}: the data model is left out: ${fault}`);
  }
  return {
    ...{ file, title, summary, decisions, leave, models, ids: new Set(models.keys()) },
    interfaces: interfaces.map(interfaceOf).filter(({ id }) => CHOSEN_ID.test(id)),
  };
}

function interfaceOf(given: Json): Interface {
  const { operations, ...rest } = readAs(given, {
    id: 'text',
    name: 'text',
    kind: 'text',
    provider: 'text',
    description: 'text',
    operations: 'records',
  });
  return {
    ...rest,
    operations: operations.map((one) => readAs(one, { name: 'text', request: 'any', response: 'any', errors: 'any' })),
  };
}

/** Where a part of an export comes from. */
export const backReference = ({ file: { session_id, revision_id, content_hash } }: Source): Json => ({
  session: session_id,
  revision: revision_id,
  content_hash,
});

/** How schemas of a part of the contract are moved to `place`, and what is said of references that lead nowhere. */
export const referencesOf = (
  { ids, leave }: Pick<Source, 'ids' | 'leave'>,
  { of, model, own = '' }: { readonly of: string; readonly model: References['model']; readonly own?: string },
): References => ({
  ...{ ids, model, own },
  lost: (reference) => leave(`${of}: the $ref ${JSON.stringify(reference)} is left out: it leads to no data model`),
});

/** A file with the JSON Schema of each data model. */
export const schemaFiles = (source: Source): [string, Json | boolean][] =>
  Array.from(source.models, ([id, { name, schema }]) => {
    const references = referencesOf(source, { of: id, model: (other) => `${other}.json` });
    const copy = withReferences(schema, references);
    if (typeof copy === 'boolean') return [`schemas/${id}.json`, copy];
    const members = Object(copy);
    const head = { $schema: DEFAULT_DIALECT, title: name, ...members };
    return [`schemas/${id}.json`, { ...head, 'x-parley': { ...backReference(source), data_model: id } }];
  });

/** The data models as the schemas of a document, in which `#/components/schemas` has them. */
export const componentSchemas = (source: Source): Json =>
  Object.fromEntries(
    Array.from(source.models, ([id, { name, schema }]) => {
      const own = `#/components/schemas/${id}`;
      const copy = withReferences(schema, {
        ...referencesOf(source, { of: id, model: componentPath, own }),
        lost: () => {},
      });
      return [id, typeof copy === 'boolean' ? copy : { title: name, ...Object(copy) }];
    }),
  );

export const componentPath = (id: string): string => `#/components/schemas/${id}`;
