import { z } from 'zod';
import { MAX_WAIT_SECONDS } from '../kernel/limits.ts';
import { AGENTS, BUILDERS } from '../kernel/roles.ts';

/** Text of 1 to `maxChars` characters with at least one that shows. */
export const text = (maxChars: number) =>
  z.string().max(maxChars, `Must have at most ${maxChars} characters.`).regex(/\S/, 'Must not be empty.');

/** A counted id such as d_4. */
function countedId(prefix: string, what: string) {
  const article = /^[aeiou]/.test(what) ? 'an' : 'a';
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[1-9]\\d{0,8}$`), `Must be ${article} ${what} id such as ${prefix}_1.`)
    .describe(`${article === 'an' ? 'An' : 'A'} ${what} id such as ${prefix}_1.`);
}

export const QuestionId = countedId('q', 'question');
export const DecisionId = countedId('d', 'decision');
export const InterventionId = countedId('i', 'intervention');
export const RevisionId = countedId('r', 'revision');
export const FindingId = countedId('f', 'finding');
export const DefectId = countedId('def', 'defect');
export const HoldId = countedId('h', 'hold');
export const RecommendationId = countedId('rec', 'recommendation');
export const ActionId = countedId('act', 'action');

export const BuilderRole = z.enum(BUILDERS);
export const AgentRole = z.enum(AGENTS);

export const Reason = text(2_000).describe('Why, in a sentence the other side can act on.');
export const LongText = text(4_000);

/** An input without members. */
export const NoInput = z.strictObject({});

/** A message id; 0 stands before the first. */
export const MessageCursor = z.int().min(0).max(2_147_483_647);

/** Of a wait for builders and the moderator. */
export const AfterSeen = MessageCursor.optional().describe(
  'Such as the cursor of the last answer: only what is newer ends the wait.',
);

export const At = z.string().describe('ISO 8601 UTC.');

const WAIT_WORDS = `Must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}.`;

export const WaitSeconds = z
  .number(WAIT_WORDS)
  .min(0, WAIT_WORDS)
  .describe(`Seconds to wait for work or news, at most ${MAX_WAIT_SECONDS}; more counts as ${MAX_WAIT_SECONDS}.`);
