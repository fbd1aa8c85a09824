import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';
import { accepted, proposed, withdrawn } from '../past.ts';

const session = {
  requirements: [
    { requirement_id: 'req-1', text: 'A capture is booked once.' },
    { requirement_id: 'req-2', text: 'A crash changes nothing.' },
    { requirement_id: 'req-3', text: 'An unknown outcome is settled.' },
  ],
  fixture_version: 'capture-2026-11',
};

const resolved = (id: string, topic: string) => [
  proposed('agent_a', id, { topic }),
  accepted('agent_a', id),
  accepted('agent_b', id),
];
const decided = [
  ...resolved('d_1', 'Key'),
  proposed('agent_b', 'd_2', { topic: 'Clock' }),
  ...resolved('d_3', 'Store'),
];
const past = [...decided, withdrawn('agent_b', 'd_2')];

const validate = (contract: Record<string, unknown>, events = past) =>
  given(events, { session }).when('validate_contract_draft', { contract }, 'agent_a');

describe('validate_contract_draft', () => {
  test('finds nothing in the example of get_contract_schema, where its decisions are resolved', () => {
    const { example } = given().when('get_contract_schema', {}, 'agent_a').reply();
    const requirements = [{ requirement_id: 'req-1', text: 'A capture is booked once.' }];
    const found = given(past, { session: { ...session, requirements } });
    expect(found.when('validate_contract_draft', { contract: example }, 'agent_a').reply()).toEqual({
      valid: true,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      validator_version: '2.6.0',
      errors: [],
      warnings: [],
      error_count: 0,
      warning_count: 0,
    });
  });

  test('lists errors and warnings separately; a draft with warnings is valid', () => {
    const draft = { ...FULL_CONTRACT, rollout: { steps: [], rollback: 'Each side alone.' } };
    expect(validate(draft).reply()).toMatchObject({
      valid: true,
      errors: [],
      warnings: [
        {
          code: 'ROLLOUT_WITHOUT_STEPS',
          severity: 'warning',
          pointer: '/rollout/steps',
          message: 'The rollout has no steps.',
          hint: 'List the steps in their order, each with who takes it.',
        },
      ],
      error_count: 0,
      warning_count: 1,
    });
    expect(validate({ ...draft, fixture_version: '1' }).reply()).toMatchObject({
      valid: false,
      errors: [{ code: 'FIXTURE_VERSION_DIFFERS', pointer: '/fixture_version' }],
      error_count: 1,
      warning_count: 1,
    });
  });

  test('uses the current status of the decisions', () => {
    const found = validate({ ...FULL_CONTRACT, decisions: ['d_1', 'd_2', 'd_9'] }).reply();
    expect(found.valid).toBe(false);
    expect(found.errors.map(({ code, pointer, message }) => [code, pointer, message])).toEqual([
      ['UNKNOWN_DECISION', '/decisions/2', 'There is no decision d_9 in this session.'],
      ['DECISION_NOT_RESOLVED', '/decisions/1', 'Decision d_2 is WITHDRAWN.'],
      ['RESOLVED_DECISION_OMITTED', '/decisions', 'Decision d_3 is RESOLVED, but missing from the member decisions.'],
    ]);
    expect(found.error_count).toBe(3);
  });

  test('uses the requirements and the fixture_version of this session', () => {
    const { errors } = given().when('validate_contract_draft', { contract: FULL_CONTRACT }, 'agent_a').reply();
    expect(new Set(errors.map(({ code }) => code))).toEqual(
      new Set(['UNKNOWN_REQUIREMENT', 'UNKNOWN_DECISION', 'REQUIREMENT_NOT_COVERED', 'FIXTURE_VERSION_DIFFERS']),
    );
  });

  test('reports only the faults of the shape if the shape is invalid', () => {
    const found = validate({ title: 'Captures', decisions: ['d_9'] }).reply();
    expect(new Set(found.errors.map(({ code }) => code))).toEqual(new Set(['SCHEMA']));
    expect(found).toMatchObject({ valid: false, error_count: 13, warnings: [], warning_count: 0 });
  });

  test('names the hash of the RFC 8785 form, whatever the order of the members and however many the faults', () => {
    const hashOf = (contract: Record<string, unknown>) => validate(contract).reply().content_hash;
    const hash = 'edb741d6706e2bb34bb639d0b8d02345edc021323d41545060137ff737e081a0';
    expect(hashOf({ title: 'Captures', decisions: ['d_9'] })).toBe(hash);
    expect(hashOf({ decisions: ['d_9'], title: 'Captures' })).toBe(hash);
  });

  test('lists at most 100 issues, errors first, and counts all', () => {
    const repeated = Array.from({ length: 250 }, () => 'd_1');
    const unknown = Array.from({ length: 99 }, () => 'd_9');
    const found = validate({ ...FULL_CONTRACT, decisions: ['d_3', ...repeated, ...unknown] }).reply();
    expect([found.errors.length, found.warnings.length]).toEqual([99, 1]);
    expect([found.error_count, found.warning_count]).toEqual([99, 347]);
  });

  test.each([
    ['contract left out', {}],
    ['contract as a list', { contract: [] }],
    ['contract as a text that is no object', { contract: 'A plan.' }],
    ['another member', { contract: {}, reason: 'Look.' }],
  ])('refuses an input with %s', (_, input) => {
    given()
      .when('validate_contract_draft', input as never, 'agent_a')
      .thenFails('INVALID_INPUT');
  });

  test('accepts a contract as a JSON text', () => {
    const asText = given(past, { session }).when(
      'validate_contract_draft',
      { contract: JSON.stringify(FULL_CONTRACT) } as never,
      'agent_b',
    );
    expect(asText.reply()).toEqual(validate(FULL_CONTRACT).reply());
  });
});
