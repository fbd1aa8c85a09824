import { memoizeBy } from '../../kernel/memoize.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import type { Contract } from '../document/contract.ts';
import { namesIn } from '../document/json-pointer.ts';
import { faultAt, membersOf, type Place, placeOf } from './nodes.ts';
import type { ContractRule, Fault } from './rule.ts';

/** A JSON Schema in a data model: the schema of the model itself, or a schema inside that schema. */
interface SchemaNode {
  readonly schema: Record<string, unknown>;
  readonly place: Place | null;
}

/** The schemas of a data model, the outermost first. */
interface ModelSchemas {
  readonly id: string;
  readonly root: unknown;
  readonly nodes: readonly SchemaNode[];
}

const modelSchemas = memoizeBy(({ data_models }: Contract): readonly ModelSchemas[] =>
  data_models.map(({ id, json_schema }, at) => ({
    id,
    root: json_schema,
    nodes: schemasIn(json_schema, placeOf('data_models', at, 'json_schema')),
  })),
);

const ONE = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const BY_NAME = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

interface Candidate {
  readonly value: unknown;
  readonly place: Place | null;
}

/**
 * A JSON Schema and all schemas inside it. The values of enum, const, examples and similar keywords are skipped,
 * because they are data. A loop instead of recursion, because deep nesting would exhaust the stack.
 */
function schemasIn(root: unknown, place: Place | null): SchemaNode[] {
  const nodes: SchemaNode[] = [];
  const waiting: Candidate[] = [{ value: root, place }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!isRecord(next.value)) continue;
    nodes.push({ schema: next.value, place: next.place });
    for (const [keyword, value] of Object.entries(next.value)) {
      const inner = { value, place: { part: keyword, within: next.place } };
      if (ONE.has(keyword) && isRecord(value)) waiting.push(inner);
      else if (isHolder(keyword, value)) for (const member of held(inner)) waiting.push(member);
    }
  }
  return nodes;
}

const isHolder = (keyword: string, value: unknown): boolean =>
  Array.isArray(value) ? LIST.has(keyword) : BY_NAME.has(keyword);

const held = ({ value, place }: Candidate): Candidate[] =>
  membersOf(value).map(([part, member]) => ({ value: member, place: { part, within: place } }));

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function isTypeKnown(schema: Record<string, unknown>): boolean {
  if (!Object.hasOwn(schema, 'type')) return true;
  const { type } = schema;
  return Array.isArray(type) ? type.length > 0 && type.every((one) => TYPES.has(one)) : TYPES.has(type);
}

/**
 * Whether a schema inside the data model has its own `$id`. Inside such a schema, `#` stands for that schema instead of
 * the whole model, so the references of the model are not checked.
 */
const hasOtherRoots = ({ nodes: [, ...inner] }: ModelSchemas): boolean =>
  inner.some(({ schema }) => Object.hasOwn(schema, '$id'));

function* lostRefs({ id, root, nodes }: ModelSchemas): Generator<Fault> {
  const known = new Map<string, boolean>();
  for (const { schema, place } of nodes.filter(hasLocalRef))
    if (!pointsInto(root, String(schema.$ref), known))
      yield faultAt(
        { part: '$ref', within: place },
        `A $ref in data model ${id} points to a schema that its json_schema does not contain.`,
      );
}

const hasLocalRef = ({ schema }: SchemaNode): boolean =>
  Object.hasOwn(schema, '$ref') && typeof schema.$ref === 'string' && schema.$ref.startsWith('#/');

function pointsInto(root: unknown, ref: string, known: Map<string, boolean>): boolean {
  const isKnown = known.get(ref) ?? leadsSomewhere(root, ref);
  known.set(ref, isKnown);
  return isKnown;
}

function leadsSomewhere(root: unknown, ref: string): boolean {
  let node = root;
  for (const name of namesIn(decoded(ref.slice(1))).slice(1)) {
    if (!(isRecord(node) || Array.isArray(node)) || !Object.hasOwn(node, name)) return false;
    node = Reflect.get(node, name);
  }
  return true;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function* impossibleIn({
  required,
  properties = {},
  additionalProperties,
  patternProperties,
}: Schema): Generator<number> {
  if (!Array.isArray(required) || !isRecord(properties)) return;
  if (additionalProperties !== false || patternProperties !== undefined) return;
  for (const [index, name] of required.entries())
    if (typeof name === 'string' && !Object.hasOwn(properties, name)) yield index;
}

type Schema = Readonly<Record<string, unknown>>;

/** Rules about the JSON Schemas of data models. */
export const DATA_MODEL_RULES: readonly ContractRule[] = [
  {
    code: 'DATA_MODEL_TYPE_UNKNOWN',
    severity: 'error',
    explanation: 'A type must be one of the seven of JSON Schema.',
    hint: 'Use string, number, integer, boolean, object, array or null; a date is a string with a format.',

    *check(contract) {
      for (const { id, nodes } of modelSchemas(contract))
        for (const { schema, place } of nodes)
          if (!isTypeKnown(schema))
            yield faultAt(
              { part: 'type', within: place },
              `Data model ${id} uses a type that JSON Schema does not know.`,
            );
    },
  },
  {
    code: 'DATA_MODEL_REF_UNKNOWN',
    severity: 'warning',
    explanation: 'A $ref that begins with # must point into the same json_schema.',
    hint: 'Put the referenced schema under $defs of the same json_schema and point to it.',

    *check(contract) {
      for (const model of modelSchemas(contract)) if (!hasOtherRoots(model)) yield* lostRefs(model);
    },
  },
  {
    code: 'DATA_MODEL_UNSATISFIABLE',
    severity: 'error',
    explanation: 'If additionalProperties is false, each required member must be declared.',
    hint: 'Declare the member under properties, spelled as in required.',

    *check(contract) {
      for (const { id, nodes } of modelSchemas(contract))
        for (const { schema, place } of nodes)
          for (const index of impossibleIn(schema))
            yield faultAt(
              { part: index, within: { part: 'required', within: place } },
              `Data model ${id} requires a member that it does not allow.`,
            );
    },
  },
];
