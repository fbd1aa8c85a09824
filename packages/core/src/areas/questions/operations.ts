import { z } from 'zod';
import type { SessionDraft } from '../catalog.ts';
import { LONG_TEXT_MAX_CHARS, QuestionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { requireActive } from '../session/rules.ts';
import { addressed, askedData, isNewAnswer, NewQuestion, openByKey, questionKey, questionTo } from './rules.ts';
import { QuestionChange, viewQuestionChange } from './state.ts';

const MAX_ASKED = 20;

const AnswerInput = z
  .strictObject({
    question_id: z.string().regex(/^(q_[1-9]\d{0,8})?$/, 'Must be a question id such as q_1, or empty to only ask.'),
    answer: z.string().max(LONG_TEXT_MAX_CHARS, `Must have at most ${LONG_TEXT_MAX_CHARS} characters.`),
    questions: z.array(NewQuestion).min(1).max(MAX_ASKED).optional(),
  })
  .superRefine(({ question_id, answer, questions }, issues) => {
    const report = (path: (string | number)[], message: string) => issues.addIssue({ code: 'custom', path, message });
    if (question_id === '' && (questions === undefined || answer !== ''))
      report(
        ['question_id'],
        'Must be a question id such as q_1. It may be empty only if answer is empty and questions is not.',
      );
    if (question_id !== '' && !/\S/.test(answer)) report(['answer'], 'Must not be empty.');
    const keys = questions?.map(questionKey) ?? [];
    for (const [index, key] of keys.entries())
      if (keys.indexOf(key) < index) report(['questions', index], 'Repeats an earlier question of this call.');
  });

/**
 * Spec 4.2. Answers a question and asks new questions without using a turn. Answers are accepted until the session
 * ends, new questions only while the session is ACTIVE. A question that the caller has asked before and that is still
 * open is not stored again.
 */
export const answerQuestion = defineOperation({
  name: 'answer_question',
  summary: 'Answer a question; to ask, set question_id and answer to "". Uses no turn.',
  rest: 'POST questions/answer',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: AnswerInput,
  otherNames: { text: 'answer' },
  output: z.strictObject({
    question: QuestionChange.optional(),
    asked: z.array(QuestionId).optional(),
  }),
  errors: ['UNKNOWN_RECORD', 'ALREADY_ANSWERED', 'SESSION_NOT_ACTIVE', 'LIMIT_EXCEEDED'],

  decide(state, { question_id, answer, questions = [] }, { role }, { limits }): SessionDraft[] {
    const isNew = question_id !== '' && isNewAnswer(questionTo(state.questions, question_id, role), answer);
    if (questions.length > 0) requireActive(state);
    const open = openByKey(state.questions, role);
    const fresh = addressed(questions, role).filter((question) => !open.has(questionKey(question)));
    return [
      ...(isNew ? [{ kind: 'question.answered' as const, data: { question_id, answer, in_turn: false } }] : []),
      ...askedData(state.questions, fresh, { role, limits }).map((data) => ({
        kind: 'question.asked' as const,
        data: { ...data, in_turn: false },
      })),
    ];
  },

  reply({ questions: records }, { question_id, questions }, { caller: { role } }) {
    const open = openByKey(records, role);
    const asked = questions?.flatMap((one) => open.get(questionKey(one))?.question_id ?? []);
    return {
      ...(question_id === '' ? {} : { question: viewQuestionChange(questionTo(records, question_id, role)) }),
      ...(asked ? { asked } : {}),
    };
  },
});
