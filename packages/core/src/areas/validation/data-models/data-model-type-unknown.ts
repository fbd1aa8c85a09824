import { faultAt } from '../nodes.ts';
import type { ContractRule } from '../rule.ts';
import { modelSchemas } from './schema-nodes.ts';

export const dataModelTypeUnknown: ContractRule = {
  reads: 'contract',
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
};

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function isTypeKnown(schema: Record<string, unknown>): boolean {
  if (!Object.hasOwn(schema, 'type')) return true;
  const { type } = schema;
  return Array.isArray(type) ? type.length > 0 && type.every((one) => TYPES.has(one)) : TYPES.has(type);
}
