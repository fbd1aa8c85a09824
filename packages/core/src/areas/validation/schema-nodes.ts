import { inside, isRecord, membersOf, type Node } from './nodes.ts';

/** A subschema, with where it stands. */
export interface SchemaNode extends Node {
  readonly value: Record<string, unknown>;
}

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

/** A JSON Schema and all schemas inside it, in no promised order; values of enum, const, examples and the like are data. */
export function* schemasIn(root: unknown, pointer: string): Generator<SchemaNode> {
  const waiting: Node[] = [{ value: root, pointer, isExact: true }];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { value } = node;
    if (!isRecord(value)) continue;
    yield { ...node, value };
    for (const [keyword, inner] of Object.entries(value)) {
      if (ONE.has(keyword) && isRecord(inner)) waiting.push({ value: inner, ...inside(node, keyword) });
      else if (isHolder(keyword, inner)) waiting.push(...held({ value: inner, ...inside(node, keyword) }));
    }
  }
}

const isHolder = (keyword: string, value: unknown): boolean =>
  Array.isArray(value) ? LIST.has(keyword) : BY_NAME.has(keyword);

const held = (holder: Node): Node[] =>
  membersOf(holder.value).map(([part, value]) => ({ value, ...inside(holder, part) }));
