import { z } from 'zod';
import { At, LogHead, NoInput } from './areas/fields.ts';
import { CreateSessionInput } from './areas/owner/create-session.ts';
import { SessionGlance } from './areas/owner/overview.ts';
import { Standing } from './areas/owner/schemas.ts';
import { plainJson } from './kernel/json-text.ts';
import { LOG_FAULTS } from './kernel/log/verify-log.ts';
import { validateInput } from './kernel/operation/input.ts';
import { publishedSchema } from './kernel/operation/json-schema.ts';

const pageInput = (maxSessions: number) =>
  z.strictObject({
    limit: z.int().min(1).max(maxSessions).optional().describe('Sessions a page; 50 when left out.'),
    after: z.string().max(60).optional().describe('The last session_id of the page before.'),
  });

const pageOf = <T extends z.ZodType>(session: T) =>
  z.strictObject({
    sessions: z.array(session),
    next_after: z.string().nullable().describe('Value of after for the next page; null on the last.'),
  });

const ListedSession = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.string(),
  phase: z.string(),
  created_at: At,
  events: z.int(),
});

/** The owner's methods that are not operations on one session. */
export const OWNER_METHODS = {
  createSession: {
    summary: 'Open a session.',
    method: 'POST',
    input: CreateSessionInput,
    output: Standing,
    errors: [],
  },
  listSessions: {
    summary: 'List your sessions, newest first.',
    method: 'GET',
    input: pageInput(200),
    output: pageOf(ListedSession),
    errors: [],
  },
  overview: {
    summary: 'List sessions with a summary: who has the next step, what waits for you.',
    method: 'GET',
    input: pageInput(100),
    output: pageOf(SessionGlance),
    errors: [],
  },
  setModeratorEntitlement: {
    summary: 'Set whether you admit moderators, in all your sessions.',
    method: 'POST',
    input: z.strictObject({ entitled: z.boolean().describe('Whether you admit moderators.') }),
    output: z.strictObject({
      entitled: z.boolean(),
      sessions: z.int().describe('Number of sessions it was written to.'),
    }),
    errors: ['INVALID_TRANSITION'],
  },
  deleteSession: {
    summary: 'Erase a session: every event, contract and artifact.',
    method: 'DELETE',
    input: NoInput,
    output: z.strictObject({ deleted: z.literal(true) }),
    errors: ['UNKNOWN_RECORD'],
  },
  verifyLog: {
    summary: 'Verify the hash chain of the log and report the first broken event.',
    method: 'GET',
    input: NoInput,
    output: z.strictObject({
      ok: z.boolean(),
      events: z.int().describe('Number of valid events, counted from the first.'),
      head: LogHead,
      fault: z
        .strictObject({ seq: z.int(), reason: z.enum(LOG_FAULTS), message: z.string() })
        .optional()
        .describe('The first fault.'),
    }),
    errors: ['UNKNOWN_RECORD'],
  },
} as const;

export type OwnerMethod = keyof typeof OWNER_METHODS;

/** Input of an owner's method. */
export type OwnerMethodInput<N extends OwnerMethod> = z.output<(typeof OWNER_METHODS)[N]['input']>;

/** One page of an owner's sessions, newest first. */
export type SessionPage = z.output<(typeof OWNER_METHODS)['listSessions']['output']>;

/** Summaries of sessions, newest first. Each names the role that has the next step, and the tasks that wait for the owner. */
export type Overview = z.output<(typeof OWNER_METHODS)['overview']['output']>;

/** Reply of `setModeratorEntitlement`: the new value, and the number of sessions in which it was stored. */
export type Entitlement = z.output<(typeof OWNER_METHODS)['setModeratorEntitlement']['output']>;

/**
 * Validates the input of an owner's method.
 *
 * @throws ParleyError INVALID_INPUT
 */
export const readInput = <T>(input: z.ZodType<T>, raw: unknown): T =>
  validateInput(input, publishedSchema(input), plainJson(raw ?? {}));
