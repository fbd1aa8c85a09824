import { isRecord } from '@parley/core/json';
import { CHOSEN_ID } from '@parley/core/text';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Json, readAs } from '../../../text/read-as.ts';
import type { ContractFile } from '../contract-file.ts';

/** The dialect of a schema that names none. */
const DEFAULT_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const OPTIONS = { strict: false, logger: false, validateFormats: false } as const;

const DIALECTS: Readonly<Record<string, () => Pick<Ajv, 'validateSchema'>>> = {
  [DEFAULT_DIALECT]: () => new Ajv2020(OPTIONS),
  'https://json-schema.org/draft/2019-09/schema': () => new Ajv2019(OPTIONS),
  'http://json-schema.org/draft-07/schema': () => new Ajv(OPTIONS),
};

const made = new Map<string, Pick<Ajv, 'validateSchema'>>();

/** What is wrong with a JSON Schema by the meta-schema that its `$schema` names. Undefined if nothing is. */
function schemaFault(schema: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return 'it is neither an object nor a boolean';
  const named = schema.$schema ?? DEFAULT_DIALECT;
  const dialect = String(named).replace(/#$/, '');
  const make = Object.hasOwn(DIALECTS, dialect) ? DIALECTS[dialect] : undefined;
  if (!make) return 'its $schema names a dialect other than 2020-12, 2019-09 and draft-07';
  const ajv = made.get(dialect) ?? make();
  made.set(dialect, ajv);
  // Ajv looks for the meta-schema under the name that the schema gives, with its empty fragment or without.
  if (ajv.validateSchema({ ...schema, $schema: dialect === DEFAULT_DIALECT ? dialect : String(named) }) === true)
    return undefined;
  const [first] = 'errors' in ajv && Array.isArray(ajv.errors) ? ajv.errors : [];
  const { instancePath = '', message = 'it is not valid' } = Object(first);
  return `${instancePath === '' ? 'the schema' : instancePath} ${message}`;
}

/** Keywords of which a JSON Schema among free JSON has at least one. `{ "items": [1] }` is an answer and no schema. */
const TELLING = ['$ref', '$schema', 'type', 'properties', 'enum', 'const', 'oneOf', 'anyOf', 'allOf'];

const KEYWORDS = new Set([
  ...TELLING,
  ...[
    '$id',
    '$anchor',
    '$comment',
    '$defs',
    'definitions',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
  ],
  ...['readOnly', 'writeOnly', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependentRequired', 'prefixItems'],
  ...['items', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems', 'patternProperties'],
  ...['additionalProperties', 'propertyNames', 'required', 'minProperties', 'maxProperties', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]);

/** Whether a value among free JSON is a JSON Schema: nothing but its keywords, one of them telling, and valid by the meta-schema. */
export const isSchema = (value: unknown): value is Json =>
  isRecord(value) &&
  Object.keys(value).every((name) => KEYWORDS.has(name) || name.startsWith('x-')) &&
  TELLING.some((name) => Object.hasOwn(value, name)) &&
  schemaFault(value) === undefined;

/** Where references of a schema lead after it is moved. */
interface References {
  /** The data models that are exported. */
  readonly ids: ReadonlySet<string>;
  /** The reference to a data model from where the schema will stand. */
  readonly model: (id: string) => string;
  /** Where the whole schema will stand, before the pointers of its references to itself. Empty if it is a document of its own. */
  readonly own: string;
  /** Is called with each reference that leads nowhere, or to a file or an address: a tool would read it. */
  readonly lost: (reference: string) => void;
}

/** Keywords whose values are data and no schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'required', 'dependentRequired']);
const OTHER_REFERENCES = ['$dynamicRef', '$recursiveRef'];
const BY_NAME = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

/** A copy of a schema, of which each reference leads to a data model or into the schema itself. The others are left out. */
export const withReferences = (root: unknown, references: References): unknown => moved(root, { root, ...references });

/** A value that is data. Tools resolve a `$ref` wherever it stands, so a member of that name is left out of it. */
export function withoutReferences(value: unknown, lost: References['lost']): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutReferences(one, lost));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (name !== '$ref') return [[name, withoutReferences(member, lost)]];
      lost(String(member));
      return [];
    }),
  );
}

interface Moving extends References {
  /** The schema into which pointers lead. */
  readonly root: unknown;
}

function moved(schema: unknown, moving: Moving): unknown {
  if (Array.isArray(schema)) return schema.map((one) => moved(one, moving));
  if (!isRecord(schema)) return schema;
  // Inside of a schema with an id, pointers begin at that schema.
  const inside = Object.hasOwn(schema, '$id') ? { ...moving, own: '', root: schema } : moving;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (DATA.has(name)) return [[name, withoutReferences(value, moving.lost)]];
      if (name === '$ref') return referenceTo(value, inside).map((reference) => [name, reference]);
      if (OTHER_REFERENCES.includes(name)) {
        if (String(value).startsWith('#')) return [[name, value]];
        moving.lost(String(value));
        return [];
      }
      if (!BY_NAME.has(name) || !isRecord(value)) return [[name, moved(value, inside)]];
      return [[name, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moved(one, inside)]))]];
    }),
  );
}

const MODEL = /^(?:#?\/?(?:data_models|components\/schemas|definitions|\$defs)\/)?([A-Za-z0-9_.-]+)$/;

function referenceTo(reference: unknown, { model, own, ids, root, lost }: Moving): string[] {
  const text = String(reference);
  if (text === '#' || (text.startsWith('#/') && valueAt(root, text) !== undefined))
    return [`${own === '' ? '#' : own}${text.slice(1)}`];
  const [, pointed = ''] = MODEL.exec(text) ?? [];
  if (ids.has(pointed)) return [model(pointed)];
  lost(text);
  return [];
}

/** The value to which a pointer such as `#/components/schemas/Order` leads. Undefined if there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const name of pointer.slice(2).split('/')) {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

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
