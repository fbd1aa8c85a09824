import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';
import type { Slice } from '../slice.ts';
import type { Question } from './schemas.ts';

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
