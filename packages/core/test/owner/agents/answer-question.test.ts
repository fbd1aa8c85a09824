import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner, NOT_ENDED } from '../../describe-access.ts';
import { answered, asked } from '../../past.ts';

const question = asked('agent_a', 'q_1', { to: 'owner' });
const input = { question_id: 'q_1', text: '5432' };

describe('answerQuestion of the owner', () => {
  test('answers a question that an agent put to the owner', () => {
    const reply = given([question])
      .when('answerQuestion', input, 'owner')
      .thenEvents(answered('owner', 'q_1', '5432'))
      .reply();
    expect(reply.question).toMatchObject({ status: 'ANSWERED', answer: '5432', to: 'owner' });
  });

  test('stores nothing for the same answer again', () => {
    given([question, answered('owner', 'q_1', '5432')])
      .when('answerQuestion', input, 'owner')
      .thenEvents();
  });

  test('refuses another answer', () => {
    given([question, answered('owner', 'q_1', '5433')])
      .when('answerQuestion', input, 'owner')
      .thenFails('ALREADY_ANSWERED', { question_id: 'q_1' });
  });

  test.each([
    ['an unknown question', []],
    ['a question between agents', [asked('agent_a', 'q_1')]],
  ])('refuses %s', (_what, past) => {
    given(past)
      .when('answerQuestion', input, 'owner')
      .thenFails('UNKNOWN_RECORD', { record: { type: 'question', id: 'q_1' } });
  });

  describeOwner('answerQuestion', { past: [question], input, statuses: NOT_ENDED });
});
