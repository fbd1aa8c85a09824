import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { Question, Questions } from './state.ts';

/** The question, if it was put to this role; another's is as unknown as none. */
export function questionTo(questions: Questions, id: string, role: Role): Question {
  const question = lookUp(questions.all, id);
  if (question?.to === role) return question;
  return fail('UNKNOWN_RECORD', `No question ${id} is addressed to you.`, { record: { type: 'question', id } });
}

/** Whether the answer is still to be stored: the same text again adds nothing, another text is refused. */
export function isNewAnswer({ questionId, answer }: Question, text: string): boolean {
  if (answer === null) return true;
  if (answer.text === text) return false;
  return fail('ALREADY_ANSWERED', `Question ${questionId} was answered at ${answer.at} with another text.`, {
    question_id: questionId,
  });
}

export const openQuestionsTo = (questions: Questions, role: Role): Question[] =>
  questions.open.flatMap((id) => {
    const question = lookUp(questions.all, id);
    return question?.to === role ? [question] : [];
  });
