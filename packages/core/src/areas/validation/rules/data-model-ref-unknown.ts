import { isRecord } from '../nodes.ts';
import type { ContractRule } from '../rule.ts';
import { type SchemaNode, schemasIn } from '../schema-nodes.ts';

export const dataModelRefUnknown: ContractRule = {
  reads: 'contract',
  code: 'DATA_MODEL_REF_UNKNOWN',
  severity: 'warning',
  explanation: 'A $ref that begins with # points into its own JSON Schema, not into the contract.',
  hint: 'Put the schema that is meant under $defs of the same json_schema, and point there.',

  *check({ data_models }) {
    for (const [at, { id, json_schema }] of data_models.entries()) {
      const schemas = [...schemasIn(json_schema, `/data_models/${at}/json_schema`)];
      if (schemas.slice(1).some(({ value }) => Object.hasOwn(value, '$id'))) continue;
      const known = new Map<string, boolean>();
      for (const { value, pointer, isExact } of schemas.filter(hasLocalRef))
        if (!pointsInto(json_schema, String(value.$ref), known))
          yield {
            pointer: isExact ? `${pointer}/$ref` : pointer,
            message: `Data model ${id} points to a schema that it does not hold.`,
          };
    }
  },
};

const hasLocalRef = ({ value }: SchemaNode): boolean =>
  Object.hasOwn(value, '$ref') && typeof value.$ref === 'string' && value.$ref.startsWith('#/');

function pointsInto(root: unknown, ref: string, known: Map<string, boolean>): boolean {
  const isKnown = known.get(ref) ?? leadsSomewhere(root, ref);
  known.set(ref, isKnown);
  return isKnown;
}

function leadsSomewhere(root: unknown, ref: string): boolean {
  let node = root;
  for (const part of ref.slice(2).split('/')) {
    const name = decoded(part);
    if (!(isRecord(node) || Array.isArray(node)) || !Object.hasOwn(node, name)) return false;
    node = Reflect.get(node, name);
  }
  return true;
}

function decoded(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
