import { z } from 'zod';
import { LongText, QuestionId } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { isNewAnswer, questionTo } from '../../questions/rules.ts';
import { QuestionResult, viewQuestion } from '../../questions/schemas.ts';
import { requireOpen } from '../rules.ts';

export const answerQuestion = defineOperation({
  name: 'answerQuestion',
  summary: 'Answer a question that an agent asked you.',
  access: { owner: true },
  input: z.strictObject({ question_id: QuestionId, text: LongText }),
  output: QuestionResult,
  errors: ['UNKNOWN_RECORD', 'INVALID_TRANSITION', 'ALREADY_ANSWERED'],

  said: ({ answer: { question }, input: { text }, nameOf }) =>
    `Your answer to ${question.question_id} goes to ${nameOf(question.from)} and is final: ${text}`,

  decide(state, { question_id, text }) {
    requireOpen(state, 'answerQuestion');
    const question = questionTo(state.questions, question_id, 'owner');
    return isNewAnswer(question, text)
      ? [{ kind: 'question.answered', data: { question_id, answer: text, in_turn: false } }]
      : [];
  },

  reply: ({ questions }, { question_id }) => ({ question: viewQuestion(questionTo(questions, question_id, 'owner')) }),
});
