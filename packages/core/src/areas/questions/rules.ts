import { fail } from '../../kernel/errors.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { Question } from './schemas.ts';
import type { Questions } from './state.ts';

/**
 * Returns a question that is addressed to the role. Refuses any other question with the same error as an unknown id.
 */
export function questionTo(questions: Questions, id: string, role: Role): Question {
  const question = lookUp(questions.all, id);
  if (question?.to === role) return question;
  return fail('UNKNOWN_RECORD', `No question ${id} is addressed to you.`, { record: { type: 'question', id } });
}

/**
 * Whether the answer must be stored. False if the question already has the same answer. Refuses a different second
 * answer.
 */
export function isNewAnswer({ question_id, answer, answered_at }: Question, text: string): boolean {
  if (answer === null) return true;
  if (answer === text) return false;
  return fail('ALREADY_ANSWERED', `Question ${question_id} was answered at ${answered_at} with a different text.`, {
    question_id,
  });
}

/** Unanswered questions that this role has asked, oldest first. */
export const openQuestionsFrom = (questions: Questions, role: Role): Question[] =>
  questions.open.flatMap((id) => {
    const question = lookUp(questions.all, id);
    return question?.from === role ? [question] : [];
  });

export const openQuestionsTo = (questions: Questions, role: Role): Question[] =>
  questions.open.flatMap((id) => {
    const question = lookUp(questions.all, id);
    return question?.to === role ? [question] : [];
  });
