import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { directed, intervened } from '../../past.ts';

const input = { targets: ['agent_a' as const], text: 'Keep the API.' };

describe('direct', () => {
  test('gives a directive, which always blocks until it is acknowledged', () => {
    const outcome = given().when('direct', input, 'owner');
    expect(outcome.events()[0]).toEqual(directed('i_1', { targets: ['agent_a'] }));
    expect(outcome.reply().intervention).toMatchObject({ type: 'DIRECTIVE', blocking: true, status: 'OPEN' });
  });

  test('opens an action for each target', () => {
    const outcome = given().when('direct', { ...input, targets: ['agent_a', 'agent_b'] }, 'owner');
    expect(outcome.events().map(({ kind }) => kind)).toEqual(['intervention.opened', 'action.opened', 'action.opened']);
  });

  test('accepts a priority', () => {
    const { intervention } = given()
      .when('direct', { ...input, priority: 'HIGH' }, 'owner')
      .reply();
    expect(intervention.priority).toBe('HIGH');
  });

  test('is refused beyond the limit of open directives and questions together', () => {
    given([intervened('i_1')], { limits: { openInterventions: 1 } })
      .when('direct', input, 'owner')
      .thenFails('LIMIT_EXCEEDED', {
        limit: 1,
        hint: 'Withdraw a question or directive with withdrawIntervention, or wait until the agents have answered a question.',
      });
  });

  describeOwner('direct', { input, statuses: NOT_ENDED });
});
