import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActorName, At, QuestionId } from '../fields.ts';
import { ADDRESSEES } from './events.ts';
import type { Question } from './state.ts';

export const QuestionView = z.strictObject({
  question_id: QuestionId,
  from: ActorName,
  to: z.enum(ADDRESSEES),
  text: z.string(),
  blocking: z.boolean(),
  status: z.enum(['OPEN', 'ANSWERED']),
  asked_at: At,
  answer: z.string().nullable(),
  answered_at: At.nullable(),
});
documented.add(QuestionView, { id: 'Question' });
export const QuestionResult = z.strictObject({ question: QuestionView }).register(documented, { id: 'QuestionResult' });

export const QuestionChange = QuestionView.pick({ question_id: true, status: true, answered_at: true });
documented.add(QuestionChange, { id: 'QuestionChange' });

export const viewQuestionChange = ({ questionId, answer }: Question): z.output<typeof QuestionChange> => ({
  question_id: questionId,
  status: answer ? 'ANSWERED' : 'OPEN',
  answered_at: answer?.at ?? null,
});

export const viewQuestion = ({
  questionId,
  from,
  to,
  text,
  isBlocking,
  askedAt,
  answer,
}: Question): z.output<typeof QuestionView> => ({
  question_id: questionId,
  from,
  to,
  text,
  blocking: isBlocking,
  status: answer ? 'ANSWERED' : 'OPEN',
  asked_at: askedAt,
  answer: answer?.text ?? null,
  answered_at: answer?.at ?? null,
});
