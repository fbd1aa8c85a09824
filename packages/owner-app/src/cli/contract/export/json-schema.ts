import { isRecord } from '@parley/core/json';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../../text/read-as.ts';

/** The dialect of a schema that names none. */
export const DEFAULT_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const OPTIONS = { strict: false, logger: false, validateFormats: false } as const;

const DIALECTS: Readonly<Record<string, () => Pick<Ajv, 'validateSchema'>>> = {
  [DEFAULT_DIALECT]: () => new Ajv2020(OPTIONS),
  'https://json-schema.org/draft/2019-09/schema': () => new Ajv2019(OPTIONS),
  'http://json-schema.org/draft-07/schema': () => new Ajv(OPTIONS),
};

const made = new Map<string, Pick<Ajv, 'validateSchema'>>();

/** What is wrong with a JSON Schema by the meta-schema that its `$schema` names. Undefined if nothing is. */
export function schemaFault(schema: unknown): string | undefined {
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
export interface References {
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
