import { z } from 'zod';
import { CONTRACT_SCHEMA_VERSION, Contract } from '../document/contract.ts';
import { CONTRACT_JSON_SCHEMA } from '../document/contract-schema.ts';
import { EXAMPLE_CONTRACT } from '../document/example.ts';
import { withShared } from '../document/shared-nodes.ts';
import { NoInput } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { RuleFacts } from '../validation/rule.ts';
import { RULE_LIST } from '../validation/rules.ts';
import { VALIDATOR_VERSION } from '../validation/validate.ts';

const ruleLine = ({ code, severity, explanation }: RuleFacts): string =>
  `${code}${severity === 'warning' ? ' (warning)' : ''}: ${explanation}`;

export const getContractSchema = defineOperation({
  name: 'get_contract_schema',
  summary: "Get the contract's schema, an example and the validation rules.",
  rest: 'GET contract-schema',
  access: { builder: 'get_contract_schema' },
  input: NoInput,
  output: z.strictObject({
    schema_version: z.string(),
    contract_schema: z.record(z.string(), z.unknown()).describe('JSON Schema draft 2020-12.'),
    example: Contract.describe('An invented contract that breaks no rule.'),
    validator_version: z.string(),
    rules: z.array(z.string()).describe('Validation rules; (warning) marks those that only warn.'),
  }),
  errors: [],

  reply: () => ({
    schema_version: CONTRACT_SCHEMA_VERSION,
    contract_schema: withShared(CONTRACT_JSON_SCHEMA),
    example: EXAMPLE_CONTRACT,
    validator_version: VALIDATOR_VERSION,
    rules: RULE_LIST.map(ruleLine),
  }),
});
