import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeRead } from '../gates.ts';

const answer = () => given().when('get_contract_schema', {}, 'agent_a').reply();

describe('get_contract_schema', () => {
  test('gives the JSON Schema, an example, the rules and the versions', () => {
    const { schema_version, contract_schema, validator_version, ...rest } = answer();
    expect([schema_version, validator_version]).toEqual(['1', '2.1.1']);
    expect(contract_schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
    expect(Object.keys(rest).toSorted()).toEqual(['example', 'rules']);
  });

  test('gives an example that its own schema accepts', () => {
    const { contract_schema, example } = answer();
    expect(new Ajv2020({ strict: true }).compile(contract_schema)(example)).toBe(true);
  });

  test('explains every rule, the schema first', () => {
    const { rules } = answer();
    expect(rules[0]).toEqual({
      code: 'SCHEMA',
      severity: 'error',
      explanation: 'The contract has all required members of its JSON Schema and no others.',
      hint: 'Compare the contract with contract_schema and example of get_contract_schema.',
    });
    expect(rules.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['UNKNOWN_TASK', 'RESOLVED_DECISION_OMITTED', 'GATE_MISSING', 'CREDENTIAL_TEXT']),
    );
    expect(rules.length).toBeGreaterThan(50);
  });

  test('is the same for both builders', () => {
    expect(given().when('get_contract_schema', {}, 'agent_b').reply()).toEqual(answer());
  });

  describeRead('get_contract_schema', { scope: 'get_contract_schema' });
});
