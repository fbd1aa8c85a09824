import { isRecord } from '@parley/core/json';
import { readSection } from '@parley/core/reading';
import type { ChangedSection } from '../../../../src/text/contract-reading.ts';
import { type Json, readAs } from '../../../../src/text/read-as.ts';
import type { ContractPart } from '../shown-parts.ts';

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  /**
   * The top-level members of the contract that the section shows. For the requirements of the session, the name under
   * which the service stores that they were read.
   */
  readonly members: readonly string[];
  /** The parts of the contract that the section shows. The outline lists them. */
  readonly parts: readonly ContractPart[];
}

/** Id, title, and the member with which the owner reads the members of the section, as `readSection` returns it. */
const SECTIONS = [
  ['summary', 'Summary', 'summary'],
  ['requirements', 'Requirements', 'requirements'],
  ['decisions', 'Decisions', 'decisions'],
  ['interfaces', 'Interfaces', 'interfaces'],
  ['models', 'Data models', 'data_models'],
  ['tasks', 'Tasks', 'tasks'],
  ['tests', 'Tests', 'tests'],
  ['gates', 'Gates', 'gates'],
  ['rollout', 'Rollout', 'rollout'],
  ['risks', 'Risks and safety', 'risks'],
  ['dependencies', 'Dependencies', 'dependencies'],
  ['artifacts', 'Artifacts', 'artifacts'],
] as const;

export type SectionId = (typeof SECTIONS)[number][0] | 'other';

/**
 * For each list of the contract whose records have ids: the kind of the records, and the member that contains their
 * title.
 */
const LISTS = [
  ['interfaces', 'interface', 'name'],
  ['data_models', 'data model', 'name'],
  ['tasks', 'task', 'title'],
  ['tests', 'test', 'title'],
  ['gates', 'gate', 'title'],
  ['risks', 'risk', 'text'],
  ['safety_conditions', 'safety condition', 'text'],
] as const;

/**
 * Returns the parts in these members of a contract, even if the contract is invalid. Records without an id are left
 * out.
 */
const partsIn = (contract: Json, members: readonly string[]): ContractPart[] =>
  LISTS.filter(([list]) => members.includes(list)).flatMap(([list, kind, title]) =>
    (readAs(contract, { [list]: 'records' })[list] ?? []).flatMap((value) => {
      const { id, [title]: shown } = readAs(value, { id: 'text', name: 'text', title: 'text', text: 'text' });
      return id === '' ? [] : [{ kind, id, title: shown, value }];
    }),
  );

/** Converts the requirements of the session to parts, so that their ids become links. */
export const requirementParts = (
  requirements: readonly { readonly requirement_id: string; readonly text: string }[],
): ContractPart[] =>
  requirements.map((requirement) => ({
    kind: 'requirement',
    id: requirement.requirement_id,
    title: requirement.text,
    value: { ...requirement },
  }));

/**
 * Divides a contract into sections, in the order in which they are shown. The section `other` contains the members that
 * belong to none of `SECTIONS`.
 */
export function sectionsOf(contract: Json, requirements: readonly ContractPart[]): Section[] {
  const membersIn = (id: SectionId): string[] => Object.keys(contract).filter((member) => idOfMember(member) === id);
  const sections = SECTIONS.map(([id, title]) => ({
    id,
    title,
    members: id === 'requirements' ? [id] : membersIn(id),
    parts: id === 'requirements' ? requirements : partsIn(contract, membersIn(id)),
  }));
  const shown: Section[] = sections.filter(({ members }) => members.length > 0);
  const others = membersIn('other');
  return others.length === 0 ? shown : [...shown, { id: 'other', title: 'Other members', members: others, parts: [] }];
}

/** Whether a section of a contract says nothing. */
export const isEmptySection = ({ id, members }: Section, contract: Json | null): boolean =>
  id !== 'requirements' && members.every((member) => isEmpty(contract?.[member]));

/** Whether a value says nothing: an empty list or text, or an object of such values. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.values(value).every(isEmpty));

/** The section of a member in a contract. The requirements of the session are not a member of the contract. */
const idOfMember = (member: string): SectionId => (member === 'requirements' ? 'other' : sectionOfMember(member).id);

/** Returns the section that shows a top-level member of the contract. */
export function sectionOfMember(member: string): { readonly id: SectionId; readonly title: string } {
  const found = SECTIONS.find(([, , head]) => head === readSection(member));
  return found ? { id: found[0], title: found[1] } : { id: 'other', title: 'Other members' };
}

/** Returns the contract as an object, or null if the stored value is not a JSON object. */
export function contractOf(stored: unknown): Json | null {
  return isRecord(stored) ? stored : null;
}

/** The number of changes in each section. */
export function newsOfSections(changed: readonly ChangedSection[]): ReadonlyMap<SectionId, number> {
  const counts = new Map<SectionId, number>();
  for (const { section, count } of changed) {
    const { id } = sectionOfMember(section);
    counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}

/** The next section that is unread, after the given section and then from the first section on. */
export function nextUnread(
  sections: readonly Section[],
  isRead: (section: Section) => boolean | undefined,
  after: SectionId | null,
): Section | undefined {
  const index = sections.findIndex(({ id }) => id === after);
  const others = [...sections.slice(index + 1), ...sections.slice(0, Math.max(0, index))];
  return others.find((section) => isRead(section) === false);
}

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

/** The functions that send the marks of read sections that the page has collected and not sent yet. */
const senders = new Set<() => Promise<void>>();

/** Adds a function that sends collected marks. Returns a function that removes it. */
export function addSender(send: () => Promise<void>): () => void {
  senders.add(send);
  return () => {
    senders.delete(send);
  };
}

/** Sends all collected marks now. Resolves when the service has answered. */
export const sendMarks = async (): Promise<void> => {
  await Promise.all([...senders].map((send) => send()));
};
