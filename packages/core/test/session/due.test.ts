import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { asked, turnPosted } from '../past.ts';
import { decided } from '../story.ts';

type Builder = 'agent_a' | 'agent_b';

const read = (past: readonly PastEvent[], by: Builder, input: { wait?: number; after?: number } = {}) =>
  given(past).when('read_session_state', input, by).reply();

const cursorOf = (past: readonly PastEvent[], by: Builder): number => read(past, by).cursor;

describe('the call that reads what others wrote', () => {
  const after = cursorOf(decided, 'agent_a');
  const told = [...decided, turnPosted('agent_b', 0)];

  test('is named after a cursor, also without a wait', () => {
    const unread = `read_messages (GET messages?after=${after})`;
    expect(read(told, 'agent_a', { wait: 25, after })).toMatchObject({ unread, due: [{ tool: 'submit_contract' }] });
    expect(read(told, 'agent_a', { after })).toMatchObject({ unread });
  });

  test.each<[string, Builder, { wait?: number; after?: number }]>([
    ['without a cursor', 'agent_a', {}],
    ['after the last message', 'agent_a', { wait: 25, after: cursorOf(told, 'agent_a') }],
    ['to the author of the message', 'agent_b', { after }],
  ])('is left out %s', (_when, by, input) => {
    expect(read(told, by, input)).not.toHaveProperty('unread');
  });
});

test('a turn that is due takes the answers to open questions, which are then no calls of their own', () => {
  const past = [turnPosted('agent_a', 0), asked('agent_a', 'q_1'), asked('agent_a', 'q_2')];
  const answer = '<your answer>';
  expect(read(past, 'agent_b')).toMatchObject({
    instruction: { tool: 'post_turn' },
    open_questions: [{ question_id: 'q_1' }, { question_id: 'q_2' }],
    due: [
      {
        tool: 'post_turn',
        payload: {
          summary: '<what you found and propose>',
          answers: [
            { question_id: 'q_1', answer },
            { question_id: 'q_2', answer },
          ],
        },
      },
    ],
  });
  expect(read(past, 'agent_b').due).toHaveLength(1);
  const early = [asked('agent_b', 'q_1')];
  expect(read([...early, turnPosted('agent_a', 0)], 'agent_a').due).toMatchObject([
    { tool: 'answer_question', payload: { question_id: 'q_1', answer } },
  ]);
});
