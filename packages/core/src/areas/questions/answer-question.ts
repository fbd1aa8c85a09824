import { z } from 'zod';
import { LongText, QuestionId } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { isNewAnswer, questionTo } from './rules.ts';
import { QuestionResult, viewQuestion } from './schemas.ts';

/** Spec 4.2. Uses no turn and works in every phase until the session ends. */
export const answerQuestion = defineOperation({
  name: 'answer_question',
  summary: 'Answer a question to you; uses no turn.',
  rest: 'POST questions/answer',
  access: { builder: 'answer_question' },
  worksWhilePaused: true,
  input: z.strictObject({
    question_id: QuestionId,
    answer: LongText.describe('The answer itself, complete enough to build on.'),
  }),
  output: QuestionResult,
  errors: ['UNKNOWN_RECORD', 'ALREADY_ANSWERED'],

  decide({ questions }, { question_id, answer }, { role }) {
    const question = questionTo(questions, question_id, role);
    return isNewAnswer(question, answer)
      ? [{ kind: 'question.answered', data: { question_id, answer, in_turn: false } }]
      : [];
  },

  reply: ({ questions }, { question_id }, { caller }) => ({
    question: viewQuestion(questionTo(questions, question_id, caller.role)),
  }),
});
