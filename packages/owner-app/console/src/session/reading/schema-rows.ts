import { type Members, membersOf, textIn, textsIn } from '../../../../src/transcript/message.ts';

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
  readonly schema: Members;
  readonly path: string;
  readonly depth: number;
}

/**
 * Lists the fields of a data model, nested fields included, each below the object that contains it. A model without
 * fields, such as a text with some allowed values, has one row for itself.
 */
export function schemaRows(schema: Members): SchemaRows {
  const rows: SchemaRow[] = [];
  let isCut = false;
  const addRow = (place: Place, isRequired: boolean): void => {
    const { schema, path } = place;
    rows.push({ path, type: typeOf(schema), isRequired, description: textIn(schema, 'description') });
    addFields(place);
  };
  const addFields = (place: Place): void => {
    const required = textsIn(place.schema, 'required');
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
  for (const [name, property] of Object.entries(membersOf(schema.properties)))
    yield [name, { schema: membersOf(property), path: below + name, depth }, true];
  for (const [pattern, property] of Object.entries(membersOf(schema.patternProperties)))
    yield ['', { schema: membersOf(property), path: `${below}/${pattern}/`, depth }, true];
  if (isSchema(schema.additionalProperties))
    yield ['', { schema: membersOf(schema.additionalProperties), path: `${below}*`, depth }, true];
  if (isSchema(schema.items)) yield ['', { schema: membersOf(schema.items), path: `${path}[]`, depth }, false];
  for (const branch of listIn(schema, 'allOf')) yield ['', { schema: branch, path, depth }, false];
  for (const [index, branch] of formsIn(schema).entries())
    yield ['', { schema: branch, path: `${path}(form ${index + 1})`, depth }, false];
  for (const member of ['$defs', 'definitions'])
    for (const [name, definition] of Object.entries(membersOf(schema[member])))
      yield ['', { schema: membersOf(definition), path: `#/${member}/${name}`, depth }, true];
}

const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (schema: Members, member: string): Members[] => {
  const list = schema[member];
  return Array.isArray(list) ? list.map(membersOf) : [];
};

/** The alternatives of a schema: the schemas in its members `oneOf` and `anyOf`. */
const formsIn = (schema: Members): Members[] => [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')];

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
function typeOf(schema: Members): string {
  const limits = LIMITS.filter((name) => schema[name] !== undefined).map((name) => `${name} ${plain(schema[name])}`);
  return [plainType(schema), ...limits].join(', ');
}

function plainType(schema: Members): string {
  if ('const' in schema) return `always ${JSON.stringify(schema.const)}`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (isSchema(schema.items)) return `array of ${typeOf(membersOf(schema.items))}`;
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  const forms = formsIn(schema);
  if (forms.length > 0) return forms.map(plainType).join(' or ');
  return textIn(schema, '$ref') || (schema.properties === undefined ? 'any' : 'object');
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
