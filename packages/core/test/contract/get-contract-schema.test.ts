import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { overBudget } from '../../../../test/support/budgets.ts';
import { given } from '../../src/testing/index.ts';

const answer = () => given().when('get_contract_schema', {}, 'agent_a').reply();

describe('get_contract_schema', () => {
  test('returns the JSON Schema, an example, the rules and the versions', () => {
    const { schema_version, contract_schema, validator_version, ...rest } = answer();
    expect([schema_version, validator_version]).toEqual(['1', '2.6.0']);
    expect(contract_schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
    expect(Object.keys(rest).toSorted()).toEqual(['example', 'rules']);
  });

  test('returns an example that its own schema accepts', () => {
    const { contract_schema, example } = answer();
    expect(new Ajv2020({ strict: true }).compile(contract_schema)(example)).toBe(true);
  });

  test('states every rule in one line, the schema first, and marks warnings', () => {
    const { rules } = answer();
    expect(rules[0]).toBe('SCHEMA: The contract must match its JSON Schema, without unknown members.');
    expect(rules).toContain('UNKNOWN_TASK: Each task in depends_on must be in the contract.');
    expect(rules).toContain('SIMILAR_IDS (warning): No two ids may differ only in capitals.');
    expect(rules).toHaveLength(61);
  });

  test('contains a node that the schema repeats only once, with a fixed description', () => {
    const { contract_schema } = answer();
    expect(JSON.stringify(contract_schema).match(/\^\[A-Za-z0-9\]\[A-Za-z0-9_\.-\]/g)).toHaveLength(1);
    expect(JSON.stringify(contract_schema).match(/1 to 60 letters/g)).toHaveLength(1);
  });

  test('is within its budget', () => {
    expect(overBudget('get_contract_schema', Buffer.byteLength(JSON.stringify(answer())))).toEqual([]);
  });

  test('is the same for both builders', () => {
    expect(given().when('get_contract_schema', {}, 'agent_b').reply()).toEqual(answer());
  });
});
