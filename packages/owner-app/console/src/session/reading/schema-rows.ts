import { isRecord } from '@parley/core/json';
import { type Json, readAs } from '../../../../src/text/read-as.ts';

/** One field of a data model. */
export interface SchemaRow {
  /** The path of the field, such as `customer.address.city` or `lines[].sku`. */
  readonly path: string;
  readonly type: string;
  /** Whether the object that contains the field must have it. */
  readonly isRequired: boolean;
  readonly description: string;
}

interface SchemaRows {
  readonly rows: readonly SchemaRow[];
  /** Whether fields are missing, because the schema has too many or is nested too deeply. */
  readonly isCut: boolean;
}

const MAX_ROWS = 300;
const MAX_DEPTH = 8;

/** A schema inside the schema of a data model. */
interface Place {
  readonly schema: Json;
  readonly path: string;
  readonly depth: number;
}

/**
 * Lists the fields of a data model, nested fields included, each below the object that contains it. A model without
 * fields, such as a text with some allowed values, has one row for itself.
 */
export function schemaRows(schema: Json): SchemaRows {
  const rows: SchemaRow[] = [];
  let isCut = false;
  const addRow = (place: Place, isRequired: boolean): void => {
    const { schema, path } = place;
    rows.push({ path, type: typeOf(schema), isRequired, ...readAs(schema, { description: 'text' }) });
    addFields(place);
  };
  const addFields = (place: Place): void => {
    const { required } = readAs(place.schema, { required: 'texts' });
    for (const [name, child, isNamed] of childrenOf(place)) {
      if (rows.length >= MAX_ROWS || child.depth > MAX_DEPTH) isCut = true;
      else if (isNamed) addRow(child, required.includes(name));
      else addFields(child);
    }
  };
  const root = { schema, path: '', depth: 0 };
  addFields(root);
  if (rows.length === 0 && !isCut) addRow(root, false);
  return { rows, isCut };
}

/**
 * The schemas directly inside a schema. A child that is not named, such as the items of a list, has no row of its own,
 * because the row of its parent shows its type.
 */
function* childrenOf({ schema, path, depth: above }: Place): Generator<[name: string, child: Place, isNamed: boolean]> {
  const depth = above + 1;
  const below = path === '' ? '' : `${path}.`;
  const { properties, patternProperties, ...own } = readAs(schema, CHILDREN);
  for (const [name, child] of schemasIn(properties)) yield [name, { schema: child, path: below + name, depth }, true];
  for (const [pattern, child] of schemasIn(patternProperties))
    yield ['', { schema: child, path: `${below}/${pattern}/`, depth }, true];
  const { additionalProperties, items } = schema;
  if (isRecord(additionalProperties)) yield ['', { schema: additionalProperties, path: `${below}*`, depth }, true];
  if (isRecord(items)) yield ['', { schema: items, path: `${path}[]`, depth }, false];
  for (const branch of schemaList(schema.allOf)) yield ['', { schema: branch, path, depth }, false];
  for (const [index, branch] of formsIn(schema).entries())
    yield ['', { schema: branch, path: `${path}(form ${index + 1})`, depth }, false];
  for (const [member, definitions] of Object.entries(own))
    for (const [name, child] of schemasIn(definitions))
      yield ['', { schema: child, path: `#/${member}/${name}`, depth }, true];
}

const CHILDREN = {
  properties: 'record',
  patternProperties: 'record',
  $defs: 'record',
  definitions: 'record',
} as const;

/** The schemas by name. A schema that is only true or false has no members. */
const schemasIn = (schemas: Json): [string, Json][] =>
  Object.entries(schemas).map(([name, schema]) => [name, isRecord(schema) ? schema : {}]);

/** The alternatives of a schema: the schemas in its members `oneOf` and `anyOf`. */
const formsIn = ({ oneOf, anyOf }: Json): Json[] => [...schemaList(oneOf), ...schemaList(anyOf)];

/** A schema that is only true or false has no members, and stays in the list: an alternative that allows everything counts. */
const schemaList = (value: unknown): Json[] =>
  (Array.isArray(value) ? value : []).map((schema) => (isRecord(schema) ? schema : {}));

const LIMITS = [
  'format',
  'pattern',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'default',
] as const;

/** Describes the values that a schema allows: a constant, a choice, or a type with its limits. */
function typeOf(schema: Json): string {
  const limits = LIMITS.filter((name) => schema[name] !== undefined).map((name) => `${name} ${plain(schema[name])}`);
  return [plainType(schema), ...limits].join(', ');
}

function plainType(schema: Json): string {
  if ('const' in schema) return `always ${JSON.stringify(schema.const)}`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (isRecord(schema.items)) return `array of ${typeOf(schema.items)}`;
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  const forms = formsIn(schema);
  if (forms.length > 0) return forms.map(plainType).join(' or ');
  return readAs(schema, { $ref: 'text' }).$ref || (schema.properties === undefined ? 'any' : 'object');
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
