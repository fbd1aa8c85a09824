import { describe, expect, test } from 'vitest';
import { type GivenOptions, given, type PastEvent } from '../../src/testing/index.ts';
import { asked, nominated } from '../past.ts';

const blockers = (past: readonly PastEvent[], options?: GivenOptions) =>
  given(past, options).when('list_blockers', {}, 'agent_a').reply().blockers;

describe('blockers', () => {
  test('name the agent with the first turn while nobody is nominated', () => {
    expect(blockers([], { session: { first_turn: 'agent_b' } })).toEqual([
      {
        code: 'NO_CONTRACT_AUTHOR',
        record: { type: 'session', id: 'contract_author' },
        responsible: 'agent_b',
        message: 'No Contract Author is elected yet.',
        resolution: {
          text: 'Nominate a Contract Author with elect_contract_author, and give your reason.',
          tool: 'elect_contract_author',
          route: 'POST contract-election',
          payload: { candidate: '<agent_a or agent_b>', reason: '<your reason>' },
        },
      },
    ]);
  });

  test('in DRAFT name only the owner, who must start the session', () => {
    expect(blockers([], { isStarted: false })).toMatchObject([
      { code: 'NOT_STARTED', record: { type: 'session', id: 'start' }, responsible: 'owner' },
    ]);
  });

  test('name the other agent after one nomination, with its candidate', () => {
    expect(blockers([nominated('agent_a', 'agent_b')])).toMatchObject([
      { responsible: 'agent_b', resolution: { payload: { candidate: 'agent_b' } } },
    ]);
  });

  test('name the agent that nominated later if the nominations differ', () => {
    expect(blockers([nominated('agent_b', 'agent_b'), nominated('agent_a', 'agent_a')])).toMatchObject([
      {
        responsible: 'agent_a',
        message: 'The two nominations name different builders.',
        resolution: { payload: { candidate: 'agent_b' } },
      },
    ]);
  });

  test("name the owner for a blocking question to the owner, with the owner's operation", () => {
    expect(blockers([asked('agent_a', 'q_1', { to: 'owner', blocking: true })])).toContainEqual({
      code: 'QUESTION_UNANSWERED',
      record: { type: 'question', id: 'q_1' },
      responsible: 'owner',
      message: 'The blocking question q_1 is not answered yet.',
      resolution: {
        text: 'Answer question q_1.',
        tool: 'answerQuestion',
        payload: { question_id: 'q_1', text: '<your answer>' },
      },
    });
  });
});
