import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { describeWrite } from '../gates.ts';
import { answered, asked } from '../past.ts';

const question = asked('agent_a', 'q_1');
const input = { question_id: 'q_1', answer: '5432' };

describe('answer_question', () => {
  test('answers a question that was put to the caller', () => {
    given([question])
      .when('answer_question', input, 'agent_b')
      .thenEvents(answered('agent_b', 'q_1', '5432'))
      .thenReply({
        question: {
          question_id: 'q_1',
          from: 'agent_a',
          to: 'agent_b',
          text: 'Which port?',
          blocking: false,
          status: 'ANSWERED',
          asked_at: '2026-01-05T09:00:00.000Z',
          answer: '5432',
          answered_at: '2026-01-05T09:01:00.000Z',
        },
      });
  });

  test('adds nothing when the same answer comes again', () => {
    const outcome = given([question, answered('agent_b', 'q_1', '5432')]).when('answer_question', input, 'agent_b');
    expect(outcome.thenEvents().reply().question).toMatchObject({
      status: 'ANSWERED',
      answered_at: '2026-01-05T09:00:00.000Z',
    });
  });

  test('refuses another answer', () => {
    given([question, answered('agent_b', 'q_1', '5433')])
      .when('answer_question', input, 'agent_b')
      .thenFails('ALREADY_ANSWERED', { question_id: 'q_1' });
  });

  test.each([
    ['an unknown question', []],
    ['a question of the caller', [asked('agent_b', 'q_1')]],
    ['a question to the owner', [asked('agent_a', 'q_1', { to: 'owner' })]],
  ])('refuses %s like one that never was', (_what, past) => {
    const outcome = given(past).when('answer_question', input, 'agent_b');
    outcome.thenFails('UNKNOWN_RECORD', { record: { type: 'question', id: 'q_1' } });
  });

  test('refuses a blank answer', () => {
    given([question])
      .when('answer_question', { ...input, answer: '\n' }, 'agent_b')
      .thenFails('INVALID_INPUT');
  });

  describeWrite('answer_question', { past: [question], input, scope: 'answer_question', worksWhilePaused: true });
});
