import { memoizeBy } from '../../../kernel/memoize.ts';
import { isRecord } from '../../../kernel/text/json-value.ts';
import type { Contract } from '../../document/contract.ts';
import { membersOf, type Place, placeOf } from '../nodes.ts';

/** A JSON Schema in a data model: the schema of the model itself, or a schema inside that schema. */
export interface SchemaNode {
  readonly schema: Record<string, unknown>;
  readonly place: Place | null;
}

/** The schemas of a data model, the outermost first. */
export interface ModelSchemas {
  readonly id: string;
  readonly root: unknown;
  readonly nodes: readonly SchemaNode[];
}

export const modelSchemas = memoizeBy(({ data_models }: Contract): readonly ModelSchemas[] =>
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
