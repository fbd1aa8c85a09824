import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { ActorName, At, QuestionId } from '../fields.ts';
import { pickOf } from '../pick.ts';
import { ADDRESSEES } from './events.ts';

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

/** A question in the state. */
export interface Question extends Readonly<z.output<typeof QuestionView>> {
  readonly seq: number;
  readonly answered_seq: number | null;
}

export const viewQuestion = pickOf(QuestionView);
export const viewQuestionChange = pickOf(QuestionChange);
