import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { text } from '../fields.ts';
import { ADDRESSEES } from './events.ts';
import type { Question, Questions } from './state.ts';

const Addressee = z.enum(['agent', ...ADDRESSEES]);

/** A question as a builder asks it in a turn or with `answer_question`. */
export const NewQuestion = z.union([
  text(2_000).describe('A question to the other agent.'),
  z.strictObject({
    text: text(2_000),
    to: Addressee,
    blocking: z.boolean().optional().describe('Default: false.'),
  }),
]);
documented.add(NewQuestion, { id: 'NewQuestion' });
type NewQuestion = z.output<typeof NewQuestion>;

const readQuestion = (question: NewQuestion) =>
  typeof question === 'string'
    ? { text: question, to: 'agent' as const, blocking: false }
    : { ...question, blocking: question.blocking ?? false };

/**
 * The key by which a repeated question is recognised. Questions to the same addressee have the same key if their texts
 * differ only as `nameKey` allows.
 */
export const questionKey = (question: NewQuestion): string => {
  const { to, text: words } = readQuestion(question);
  return `${to === 'owner' ? to : 'agent'} ${nameKey(words)}`;
};

export const openByKey = ({ all, open }: Questions, role: Role): ReadonlyMap<string, Question> =>
  new Map(
    open
      .flatMap((id) => lookUp(all, id) ?? [])
      .filter(({ from }) => from === role)
      .map((question) => [questionKey(question), question]),
  );

type Addressed = ReturnType<typeof addressed>[number];

/** Adds to each question the role that must answer it. Refuses a question to the caller itself. */
export const addressed = (asked: readonly NewQuestion[], role: Role) =>
  asked.map(readQuestion).map((question, index) => ({ ...question, to: addresseeOf(question.to, role, index) }));

function addresseeOf(to: z.output<typeof Addressee>, role: Role, index: number): Builder | 'owner' {
  if (to === 'owner' || !isBuilder(role)) return 'owner';
  const other = otherBuilder(role);
  if (to === 'agent' || to === other) return other;
  const message = `You are ${role}: address the question to ${other}, or to the owner.`;
  return fail('INVALID_INPUT', message, { issues: [{ path: `questions[${index}].to`, message }] });
}

/**
 * The data of the events that ask these questions. Refuses the questions if the role would then have more open
 * questions than the limit allows.
 */
export function askedData(
  { all, open }: Questions,
  asked: readonly Addressed[],
  { role, limits }: { readonly role: Role; readonly limits: Limits },
) {
  const own = open.filter((id) => lookUp(all, id)?.from === role);
  if (own.length + asked.length > limits.openQuestions)
    fail('LIMIT_EXCEEDED', `You can have at most ${limits.openQuestions} open questions.`, {
      limit: limits.openQuestions,
      hint: 'Wait until one of your questions is answered, or send the call without questions.',
    });
  return asked.map(({ text: words, to, blocking }, index) => ({
    question_id: `q_${all.size + index + 1}`,
    to,
    text: words,
    blocking,
  }));
}

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
