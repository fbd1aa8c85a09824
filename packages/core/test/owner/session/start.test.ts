import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { turnPosted } from '../../past.ts';
import { decided } from '../../story.ts';

const DRAFT = { isStarted: false };
const begins = (first_turn: 'agent_a' | 'agent_b') =>
  ({ kind: 'first_turn.chosen', actor: 'owner', data: { first_turn } }) as const;

describe('start', () => {
  test('makes a DRAFT session ACTIVE', () => {
    given([], DRAFT)
      .when('start', {}, 'owner')
      .thenEvents({ kind: 'session.started', actor: 'owner', data: {} })
      .thenReply({ session_id: 'SessionOfTheGivenTests', status: 'ACTIVE', phase: 'PLANNING', round_limit: 3 });
  });

  describeOwner('start', { statuses: ['DRAFT'] });

  test('chooses who begins', () => {
    given([], DRAFT)
      .when('start', { first_turn: 'agent_b' }, 'owner')
      .thenEvents(begins('agent_b'), { kind: 'session.started', actor: 'owner', data: {} });
    const state = given([begins('agent_b')])
      .when('read_session_state', {}, 'agent_b')
      .reply();
    expect(state).toMatchObject({ next_agent: 'agent_b', your_turn: true, instruction: { tool: 'post_turn' } });
  });

  test('lets the other agent begin until somebody has posted a turn, and again the first', () => {
    given().when('start', { first_turn: 'agent_b' }, 'owner').thenEvents(begins('agent_b'));
    given([begins('agent_b')])
      .when('start', { first_turn: 'agent_b' }, 'owner')
      .thenEvents();
    given([begins('agent_b')])
      .when('start', { first_turn: 'agent_a' }, 'owner')
      .thenEvents(begins('agent_a'));
  });

  test('cannot change who begins after a turn or without turns', () => {
    for (const past of [[turnPosted('agent_a', 0)], decided])
      given(past).when('start', { first_turn: 'agent_b' }, 'owner').thenFails('INVALID_TRANSITION');
  });
});
