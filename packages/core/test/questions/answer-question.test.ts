import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { answered, asked, inPhase, paused } from '../past.ts';

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
          status: 'ANSWERED',
          answered_at: '2026-01-05T09:01:00.000Z',
        },
      });
  });

  test('stores nothing for the same answer again', () => {
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
  ])('refuses %s as an unknown record', (_what, past) => {
    const outcome = given(past).when('answer_question', input, 'agent_b');
    outcome.thenFails('UNKNOWN_RECORD', { record: { type: 'question', id: 'q_1' } });
  });

  test('refuses a blank answer', () => {
    given([question])
      .when('answer_question', { ...input, answer: '\n' }, 'agent_b')
      .thenFails('INVALID_INPUT');
  });

  describe('asks', () => {
    const ask = { question_id: '', answer: '', questions: ['Is your side up?'] };
    const askedAlone = {
      kind: 'question.asked',
      actor: 'agent_b',
      data: { question_id: 'q_1', to: 'agent_a', text: 'Is your side up?', blocking: false, in_turn: false },
    } as const;

    test.each(['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'] as const)(
      'the other agent in %s without an answer and without a turn',
      (phase) => {
        given([inPhase(phase)])
          .when('answer_question', ask, 'agent_b')
          .thenEvents(askedAlone)
          .thenReply({ asked: ['q_1'] });
      },
    );

    test('the owner, and the other agent, in the call that answers', () => {
      const questions = [{ text: 'May we wait?', to: 'owner' as const, blocking: true }, 'Until when?'];
      given([question])
        .when('answer_question', { ...input, questions }, 'agent_b')
        .thenEvents(
          answered('agent_b', 'q_1', '5432'),
          {
            kind: 'question.asked',
            actor: 'agent_b',
            data: { question_id: 'q_2', to: 'owner', text: 'May we wait?', blocking: true, in_turn: false },
          },
          {
            kind: 'question.asked',
            actor: 'agent_b',
            data: { question_id: 'q_3', to: 'agent_a', text: 'Until when?', blocking: false, in_turn: false },
          },
        );
    });

    test('nothing again that is still open', () => {
      const again = given([askedAlone]).when('answer_question', ask, 'agent_b');
      again.thenEvents().thenReply({ asked: ['q_1'] });
      const over = given([askedAlone, answered('agent_a', 'q_1', 'Yes.')]).when('answer_question', ask, 'agent_b');
      over.thenReply({ asked: ['q_2'] });
    });

    test('and shows the question to the other agent in its state and its instruction', () => {
      const state = given([askedAlone]).when('read_session_state', {}, 'agent_a').reply();
      expect(state).toMatchObject({
        open_questions: [{ question_id: 'q_1', from: 'agent_b', text: 'Is your side up?' }],
        instruction: { tool: 'post_turn' },
      });
    });

    test.each([
      [{ question_id: '', answer: '' }, 'question_id'],
      [{ question_id: '', answer: 'Yes.', questions: ['Why?'] }, 'question_id'],
      [{ question_id: 'q_1', answer: ' ', questions: ['Why?'] }, 'answer'],
      [{ question_id: '', answer: '', questions: ['Why?', ' why? '] }, 'questions[1]'],
      [{ question_id: '', answer: '', questions: [{ text: 'Why?', to: 'agent_b' as const }] }, 'questions[0].to'],
      [{ question_id: '', answer: '', questions: [] }, 'questions'],
    ])('nothing with %j and names the member', (wrong, path) => {
      const refusal = given([question]).when('answer_question', wrong, 'agent_b').refusal();
      expect(refusal).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path }] });
    });

    test('nothing while the session is paused, and nothing over the limit of open questions', () => {
      given([paused]).when('answer_question', ask, 'agent_b').thenFails('SESSION_NOT_ACTIVE', { status: 'PAUSED' });
      given([askedAlone], { limits: { openQuestions: 1 } })
        .when('answer_question', { ...ask, questions: ['Another?'] }, 'agent_b')
        .thenFails('LIMIT_EXCEEDED', {
          limit: 1,
          hint: 'Wait until one of your questions is answered, or send the call without questions.',
        });
    });
  });
});
