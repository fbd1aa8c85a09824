import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { turnPosted } from '../../past.ts';

describe('extend_rounds', () => {
  test('adds rounds to the limit', () => {
    const { round_limit } = given()
      .when('extendRounds', { rounds: 2 }, 'owner')
      .thenEvents({ kind: 'rounds.extended', actor: 'owner', data: { rounds: 2, round_limit: 5 } })
      .reply();
    expect(round_limit).toBe(5);
  });

  test('gives back the turn that the limit took away', () => {
    const past = [turnPosted('agent_a', 0), turnPosted('agent_b', 1)];
    const extended = { kind: 'rounds.extended', actor: 'owner', data: { rounds: 1, round_limit: 2 } } as const;
    const options = { session: { round_limit: 1 } };
    const { next_agent } = given(past, options).when('read_session_state', {}, 'agent_a').reply();
    expect(next_agent).toBeNull();
    const state = given([...past, extended], options)
      .when('read_session_state', {}, 'agent_a')
      .reply();
    expect(state).toMatchObject({ next_agent: 'agent_a', your_turn: true, round: 2, turn_index: 2 });
  });

  test('goes up to 1,000 rounds in all', () => {
    given().when('extendRounds', { rounds: 997 }, 'owner').reply();
    given().when('extendRounds', { rounds: 998 }, 'owner').thenFails('LIMIT_EXCEEDED', {
      limit: 1_000,
      hint: 'Add fewer rounds. If no rounds can be added, appoint the Contract Author with appointAuthor.',
    });
  });

  test.each([0, -1, 1.5, 1_001])('refuses %s rounds', (rounds) => {
    given().when('extendRounds', { rounds }, 'owner').thenFails('INVALID_INPUT');
  });

  describeOwner('extendRounds', { input: { rounds: 1 }, statuses: NOT_ENDED });
});
