import { isRecord } from '../../../kernel/text/json-value.ts';
import { faultAt } from '../nodes.ts';
import type { ContractRule } from '../rule.ts';
import { modelSchemas } from './schema-nodes.ts';

export const dataModelUnsatisfiable: ContractRule = {
  reads: 'contract',
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
};

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
