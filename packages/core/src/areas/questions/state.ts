import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Actor, Builder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';

export interface Question {
  readonly questionId: string;
  readonly from: Actor;
  readonly to: Builder | 'owner';
  readonly text: string;
  readonly isBlocking: boolean;
  readonly askedAt: string;
  readonly seq: number;
  readonly answer: { readonly text: string; readonly at: string; readonly seq: number } | null;
}

export interface Questions {
  readonly all: PersistentMap<Question>;
  /** Ids of unanswered questions, oldest first. */
  readonly open: readonly string[];
}

export const questionsSlice: Slice<Questions> = {
  empty: { all: emptyMap(), open: [] },
  folds: {
    'question.asked': (questions, event) => {
      const { question_id, to, text, blocking } = event.data;
      const question: Question = {
        questionId: question_id,
        from: event.actor,
        to,
        text,
        isBlocking: blocking,
        askedAt: event.at,
        seq: event.seq,
        answer: null,
      };
      return { all: withEntry(questions.all, question_id, question), open: [...questions.open, question_id] };
    },
    'question.answered': (questions, event) =>
      answered(questions, event.data.question_id, { text: event.data.answer, at: event.at, seq: event.seq }),
  },
};

function answered({ all, open }: Questions, id: string, answer: NonNullable<Question['answer']>): Questions {
  const question = lookUp(all, id);
  if (!question) throw new Error(`An event answers question ${id}, which was never asked.`);
  return { all: withEntry(all, id, { ...question, answer }), open: open.filter((other) => other !== id) };
}
