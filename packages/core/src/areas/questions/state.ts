import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import type { SessionEvent } from '../catalog.ts';
import { ActorName, At, QuestionId } from '../fields.ts';
import { pickOf } from '../listing.ts';
import type { Slice } from '../slice.ts';
import { ADDRESSEES } from './events.ts';

export const QuestionView = namedObject('Question', {
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
export const QuestionResult = namedObject('QuestionResult', { question: QuestionView });

export const QuestionChange = QuestionView.pick({ question_id: true, status: true, answered_at: true });
documented.add(QuestionChange, { id: 'QuestionChange' });

/** A question in the state. */
export interface Question extends Readonly<z.output<typeof QuestionView>> {
  readonly seq: number;
  readonly answered_seq: number | null;
}

export const viewQuestion = pickOf(QuestionView);
export const viewQuestionChange = pickOf(QuestionChange);

export interface Questions {
  readonly all: PersistentMap<Question>;
  /** Ids of unanswered questions, oldest first. */
  readonly open: readonly string[];
}

export const questionsSlice: Slice<Questions> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'question.asked': ({ all, open }, { seq, at, actor, data: { in_turn: _, ...asked } }) => {
      const unanswered = { status: 'OPEN', answer: null, answered_at: null, answered_seq: null } as const;
      const question: Question = { ...asked, from: actor, asked_at: at, seq, ...unanswered };
      return { all: withEntry(all, asked.question_id, question), open: [...open, asked.question_id] };
    },
    'question.answered': answered,
  },
};

type Answered = Extract<SessionEvent, { kind: 'question.answered' }>;

function answered({ all, open }: Questions, { seq, at, data: { question_id, answer } }: Answered): Questions {
  const question = lookUp(all, question_id);
  if (!question) throw new Error(`An event answers question ${question_id}, which was never asked.`);
  const closed: Question = { ...question, status: 'ANSWERED', answer, answered_at: at, answered_seq: seq };
  return { all: withEntry(all, question_id, closed), open: open.filter((other) => other !== question_id) };
}
