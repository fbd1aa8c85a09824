import { describe, expect, test } from 'vitest';
import { overBudget } from '../../../../test/support/budgets.ts';
import { given, openSession } from '../../src/testing/index.ts';

const ada = { role: 'agent_a', name: 'Ada', repository: 'orders', service: 'orders-api' } as const;
const ben = { role: 'agent_b', name: 'Ben', repository: 'stock', service: 'stock-api' } as const;

const MEMBERS = [
  'session_id',
  'profile',
  'title',
  'objective',
  'guardrails',
  'requirements',
  'your_role',
  'your_repository',
  'other_agent',
  'round_limit',
  'fixture_version',
  'secret_policy',
  'contract',
  'turn_format',
  'contract_schema',
  'how_to',
];

describe('read_task', () => {
  test('shows the task to a builder, with its own repository and the other agent', () => {
    const task = given().when('read_task', {}, 'agent_a').reply();
    expect(Object.keys(task).toSorted()).toEqual(MEMBERS.toSorted());
    expect(task).toMatchObject({
      session_id: 'SessionOfTheGivenTests',
      title: 'Orders and stock',
      objective: 'Orders reserve stock before they are paid.',
      guardrails: ['No change of the public API.'],
      requirements: [
        { requirement_id: 'R1', text: 'An order reserves stock.' },
        { requirement_id: 'R2', text: 'A reservation ends after 15 minutes.' },
      ],
      your_role: 'agent_a',
      your_repository: 'orders',
      other_agent: ben,
      round_limit: 3,
      fixture_version: '1',
      secret_policy: 'refuse',
      contract: null,
    });
    expect(given().when('read_task', {}, 'agent_b').reply()).toMatchObject({
      your_role: 'agent_b',
      your_repository: 'stock',
      other_agent: ada,
    });
  });

  test('shows both builders to the moderator, which has no repository', () => {
    const task = given().when('read_task', {}, 'moderator').reply();
    expect(Object.keys(task).toSorted()).toEqual(
      [...MEMBERS.filter((name) => name !== 'turn_format'), 'agents'].toSorted(),
    );
    expect(task).toMatchObject({
      your_role: 'moderator',
      your_repository: null,
      other_agent: null,
      agents: [ada, ben],
    });
  });

  test('shows the acceptance criteria and the environment that the owner named', async () => {
    const requirement = { requirement_id: 'R1', text: 'It works.', acceptance_criteria: ['It is seen to work.'] };
    const { agentA } = await openSession({ session: { requirements: [requirement], environment: 'staging' } });
    expect(await agentA.call('read_task')).toMatchObject({ requirements: [requirement], environment: 'staging' });
  });

  test('gives the shape of the contract without descriptions, limits and the example', () => {
    const { contract_schema } = given().when('read_task', {}, 'agent_a').reply();
    expect(contract_schema).toMatchObject({
      description: 'Members and types only; get_contract_schema adds limits, descriptions, rules and an example.',
      properties: {
        title: { type: 'string' },
        scope: { type: 'object', required: ['in', 'out'] },
        gates: { items: { properties: { stage: { type: 'string', enum: ['build', 'deployment', 'activation'] } } } },
      },
    });
    expect(JSON.stringify(contract_schema)).not.toMatch(/pattern|maxItems|examples/);
  });

  test('gives the moderator the members at the top of the contract', () => {
    const { contract_schema } = given().when('read_task', {}, 'moderator').reply();
    expect(contract_schema).toMatchObject({ type: 'object', properties: { title: { type: 'string' }, tasks: {} } });
  });

  test.each([
    ['agent_a', 'read_task of a builder'],
    ['agent_b', 'read_task of a builder'],
    ['moderator', 'read_task of a moderator'],
  ] as const)('is for %s within the budget of %s', (role, budget) => {
    const task = given().when('read_task', {}, role).reply();
    expect(overBudget(budget, Buffer.byteLength(JSON.stringify(task)))).toEqual([]);
  });
});
