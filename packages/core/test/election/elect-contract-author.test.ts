import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { elected, nominated, turnPosted } from '../past.ts';

const input = { candidate: 'agent_a', reason: 'Knows the schema.' } as const;

describe('elect_contract_author', () => {
  test('records a nomination', () => {
    given()
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents(nominated('agent_b', 'agent_a'))
      .thenReply({
        nominations: [{ by: 'agent_b', candidate: 'agent_a', reason: 'Knows the schema.' }],
        contract_author: null,
        technical_reviewer: null,
        phase: 'PLANNING',
      });
  });

  test('elects on the second matching nomination and opens the contract phase', () => {
    const reply = given([nominated('agent_a', 'agent_a')])
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents(nominated('agent_b', 'agent_a'), ...elected('agent_a'))
      .reply();
    expect(reply).toMatchObject({ contract_author: 'agent_a', technical_reviewer: 'agent_b', phase: 'CONTRACT' });
  });

  test('elects no author while the nominations differ', () => {
    given([nominated('agent_a', 'agent_b')])
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents(nominated('agent_b', 'agent_a'));
  });

  test('counts the latest nomination of a builder', () => {
    given([nominated('agent_a', 'agent_b'), nominated('agent_a', 'agent_a')])
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents(nominated('agent_b', 'agent_a'), ...elected('agent_a'));
  });

  test('stores nothing for the same nomination again', () => {
    given([nominated('agent_b', 'agent_a')])
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents();
  });

  test('changes the author on a later matching pair, without another change of phase', () => {
    const past = [nominated('agent_a', 'agent_b'), nominated('agent_b', 'agent_b'), ...elected('agent_b')];
    const reply = given([...past, nominated('agent_a', 'agent_a')])
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents(nominated('agent_b', 'agent_a'), {
        kind: 'author.elected',
        actor: 'system',
        data: { contract_author: 'agent_a', technical_reviewer: 'agent_b' },
      })
      .reply();
    expect(reply).toMatchObject({ contract_author: 'agent_a', phase: 'CONTRACT' });
  });

  test('keeps the author while only one builder has changed its nomination', () => {
    const past = [nominated('agent_a', 'agent_b'), nominated('agent_b', 'agent_b'), ...elected('agent_b')];
    const reply = given(past).when('elect_contract_author', input, 'agent_a').reply();
    expect(reply).toMatchObject({ contract_author: 'agent_b', technical_reviewer: 'agent_a' });
  });

  test("does not let one agent change the owner's appointment", () => {
    const appointed = { kind: 'author.elected', actor: 'owner' } as const;
    const past = [nominated('agent_a', 'agent_a'), nominated('agent_b', 'agent_a'), ...elected('agent_a')];
    const data = { contract_author: 'agent_b', technical_reviewer: 'agent_a' } as const;
    const reply = given([...past, { ...appointed, data }])
      .when('elect_contract_author', { ...input, reason: 'All the same.' }, 'agent_a')
      .reply();
    expect(reply).toMatchObject({ contract_author: 'agent_b' });
  });

  test('works if no turns are left', () => {
    const past = [turnPosted('agent_a', 0), turnPosted('agent_b', 1), nominated('agent_a', 'agent_a')];
    given(past, { session: { round_limit: 1 } })
      .when('elect_contract_author', input, 'agent_b')
      .thenEvents(nominated('agent_b', 'agent_a'), ...elected('agent_a'));
  });

  describe('with an author whom the owner chose', () => {
    const session = { contract_author: 'agent_b' } as const;
    const turns = [turnPosted('agent_a', 0, { converged: true }), turnPosted('agent_b', 1, { converged: true })];
    const state = (role: 'agent_a' | 'agent_b', past: readonly PastEvent[] = turns) =>
      given(past, { session }).when('read_session_state', {}, role).reply();

    test('asks nobody to nominate, and the author for the contract after the discussion', () => {
      expect(state('agent_a', [])).toMatchObject({
        phase: 'PLANNING',
        contract_author: 'agent_b',
        technical_reviewer: 'agent_a',
        instruction: { tool: 'post_turn' },
        blockers: { count: 1, first: [{ code: 'NO_REVISION' }] },
      });
      expect(state('agent_b').instruction.tool).toBe('submit_contract');
      expect(state('agent_a').instruction).toMatchObject({
        tool: 'wait_for_my_turn',
        text: 'Wait for the Contract Author, agent_b, to submit the contract.',
      });
      expect(given([], { session }).when('read_task', {}, 'agent_a').reply().contract_author).toBe('agent_b');
      expect(state('agent_a', [...turns, nominated('agent_b', 'agent_b')]).instruction.tool).toBe('wait_for_my_turn');
    });

    test('accepts nominations, which elect as ever', () => {
      for (const candidate of ['agent_a', 'agent_b'] as const)
        given([nominated('agent_a', candidate)], { session })
          .when('elect_contract_author', { ...input, candidate }, 'agent_b')
          .thenEvents(nominated('agent_b', candidate), ...elected(candidate));
    });
  });

  test('refuses a candidate that is not a builder', () => {
    const faulty = { candidate: 'moderator' as 'agent_a', reason: 'Neutral.' };
    given().when('elect_contract_author', faulty, 'agent_a').thenFails('INVALID_INPUT');
  });
});
