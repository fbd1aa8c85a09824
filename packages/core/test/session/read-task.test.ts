import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeRead } from '../gates.ts';

const ada = { role: 'agent_a', name: 'Ada', repository: 'orders', service: 'orders-api' } as const;
const ben = { role: 'agent_b', name: 'Ben', repository: 'stock', service: 'stock-api' } as const;

const MEMBERS = [
  'session_id',
  'title',
  'objective',
  'guardrails',
  'requirements',
  'your_role',
  'your_repository',
  'other_agent',
  'round_limit',
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
    expect(Object.keys(task).toSorted()).toEqual([...MEMBERS, 'agents'].toSorted());
    expect(task).toMatchObject({
      your_role: 'moderator',
      your_repository: null,
      other_agent: null,
      agents: [ada, ben],
    });
  });

  test('gives the turn format as the schema of post_turn', () => {
    const { turn_format } = given().when('read_task', {}, 'agent_a').reply();
    expect(turn_format).toMatchObject({ type: 'object', required: ['summary'], additionalProperties: false });
  });

  describeRead('read_task', { scope: 'read_task', moderator: true });
});
