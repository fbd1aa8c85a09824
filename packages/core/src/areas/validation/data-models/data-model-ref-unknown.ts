import { isRecord } from '../../../kernel/text/json-value.ts';
import { namesIn } from '../../document/json-pointer.ts';
import { faultAt } from '../nodes.ts';
import type { ContractRule, Fault } from '../rule.ts';
import { type ModelSchemas, modelSchemas, type SchemaNode } from './schema-nodes.ts';

export const dataModelRefUnknown: ContractRule = {
  reads: 'contract',
  code: 'DATA_MODEL_REF_UNKNOWN',
  severity: 'warning',
  explanation: 'A $ref that begins with # must point into the same json_schema.',
  hint: 'Put the referenced schema under $defs of the same json_schema and point to it.',

  *check(contract) {
    for (const model of modelSchemas(contract)) if (!hasOtherRoots(model)) yield* lostRefs(model);
  },
};

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
