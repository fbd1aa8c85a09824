import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { directed, intervened, interventionWithdrawn, responded } from '../../past.ts';

const input = { targets: ['agent_a' as const, 'agent_b' as const], text: 'Who owns the schema?' };

describe('ask', () => {
  test('asks its targets a question, which does not block by default', () => {
    given()
      .when('ask', input, 'owner')
      .thenEvents(intervened('i_1'))
      .thenReply({
        intervention: {
          intervention_id: 'i_1',
          from: 'owner',
          type: 'QUESTION',
          text: 'Who owns the schema?',
          priority: 'NORMAL',
          blocking: false,
          targets: ['agent_a', 'agent_b'],
          status: 'OPEN',
          responses: [
            { role: 'agent_a', status: 'OPEN', text: null, at: null },
            { role: 'agent_b', status: 'OPEN', text: null, at: null },
          ],
          evidence: [],
          related_decision_id: null,
          related_revision_id: null,
          opened_at: '2026-01-05T09:01:00.000Z',
        },
      });
  });

  test('names a target whose access is revoked', () => {
    const past = [{ kind: 'access.revoked', actor: 'owner', data: { role: 'agent_b' } }] as const;
    const asked = { targets: ['agent_a' as const, 'agent_b' as const], text: 'Why?' };
    expect(given(past).when('ask', asked, 'owner').reply().absent).toEqual([{ role: 'agent_b', cause: 'REVOKED' }]);
    expect(given().when('ask', asked, 'owner').reply().absent).toBeUndefined();
  });

  test('accepts priority and blocking', () => {
    const { intervention } = given()
      .when('ask', { ...input, blocking: true, priority: 'URGENT' }, 'owner')
      .thenEvents(intervened('i_1', { blocking: true, priority: 'URGENT' }))
      .reply();
    expect(intervention).toMatchObject({ blocking: true, priority: 'URGENT' });
  });

  test('continues the ids of directives and closed questions', () => {
    given([directed('i_1'), intervened('i_2'), interventionWithdrawn('i_2')])
      .when('ask', input, 'owner')
      .thenEvents(intervened('i_3'));
  });

  test('asks the same question again if it is called again', () => {
    given([intervened('i_1')])
      .when('ask', input, 'owner')
      .thenEvents(intervened('i_2'));
  });

  test('is refused beyond the limit of open questions', () => {
    const limits = { openInterventions: 1 };
    given([intervened('i_1')], { limits })
      .when('ask', input, 'owner')
      .thenFails('LIMIT_EXCEEDED', {
        limit: 1,
        hint: 'Withdraw a question or directive with withdrawIntervention, or wait until the agents have answered a question.',
      });
    const answers = [responded('agent_a', 'i_1', 'We do.'), responded('agent_b', 'i_1', 'They do.')];
    given([intervened('i_1'), ...answers], { limits })
      .when('ask', input, 'owner')
      .reply();
  });

  test.each([
    ['no target', { ...input, targets: [] }],
    ['a target named twice', { ...input, targets: ['agent_a', 'agent_a'] }],
    ['the moderator as target', { ...input, targets: ['moderator'] }],
    ['a blank text', { ...input, text: ' ' }],
    ['an unknown priority', { ...input, priority: 'ASAP' }],
  ])('refuses %s', (_what, faulty) => {
    given()
      .when('ask', faulty as typeof input, 'owner')
      .thenFails('INVALID_INPUT');
  });

  describeOwner('ask', { input, statuses: NOT_ENDED });
});
