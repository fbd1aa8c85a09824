import { z } from 'zod';
import { PersonView } from '../areas/approvals/state.ts';
import { ActorName, At, PersonRoleName, RecordRef } from '../areas/fields.ts';
import { Excerpt } from '../areas/owner/transcript.ts';
import { documented } from '../kernel/operation/documented.ts';
import { MAX_PERSON_CHARS } from '../kernel/person.ts';

export const pageInput = (maxSessions: number) =>
  z.strictObject({
    limit: z.int().min(1).max(maxSessions).optional().describe('Sessions on a page; default: 50.'),
    after: z.string().max(60).optional().describe('The last session_id of the previous page.'),
  });

export const Said = z
  .enum(['start', 'whole'])
  .optional()
  .describe(
    "How much of an agent's words each task shows: the first 200 characters (start, the default), or as much as `view`.",
  );

export const pageOf = <T extends z.ZodType>(session: T) =>
  z.strictObject({
    sessions: z.array(session),
    next_after: z.string().nullable().describe('Value of after for the next page; null on the last.'),
  });

export const ListedSession = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  status: z.string(),
  phase: z.string(),
  created_at: At,
  events: z.int(),
});

export const PauseId = z
  .string()
  .regex(/^[A-Za-z0-9]{1,40}$/, 'Must be a pause_id from an answer of pauseAll.')
  .optional();

export const NEXT_AFTER_WORDS = 'Must be the next_after of the previous page.';
const MOMENT_WORDS = 'Must be a day such as 2026-11-24, or a time in UTC such as 2026-11-24T09:30Z.';

/** A session that a call on all sessions could not change, and the reason. */
const Failure = z.strictObject({ session_id: z.string(), code: z.string(), text: z.string() });
documented.add(Failure, { id: 'SessionFailure' });
export const Failures = z.array(Failure);

export const Hit = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  seq: z.int().describe('Number of the event, and id of the message.'),
  at: At,
  from: ActorName,
  name: z
    .string()
    .nullable()
    .describe('Display name of the builder, or of the person who acted for the owner; else null.'),
  kind: z.string(),
  record: RecordRef.describe('The record in which the words occur.'),
  status: z.string().optional(),
  superseded_by: z.string().optional(),
  places: z
    .array(
      z.strictObject({
        section: z.string(),
        id: z.string().optional(),
        words: z.string(),
        excerpts: z.array(z.string()),
      }),
    )
    .optional()
    .describe('For a contract: the places that contain the words, the best first.'),
  ...Excerpt.shape,
});

const Moment = z
  .string()
  .max(30)
  .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/, { error: MOMENT_WORDS, abort: true })
  .refine((text) => !Number.isNaN(Date.parse(text)), MOMENT_WORDS)
  .register(documented, { id: 'AuditTime' });

export const AuditFilter = z.strictObject({
  person: z.string().min(1).max(MAX_PERSON_CHARS).optional().describe('Id of the person who acted.'),
  kind: z.string().min(1).max(60).optional().describe('Type of the event, such as contract.approved.'),
  session_id: z.string().min(1).max(60).optional(),
  from: Moment.optional().describe('From this time on: a day, or a time such as 2026-11-24T09:30Z.'),
  to: Moment.optional().describe('Before this time.'),
});

export const AuditEvent = z.strictObject({
  at: At,
  person: PersonView.nullable().describe('Null if the application named no person.'),
  kind: z.string(),
  body: z.record(z.string(), z.unknown()).describe('Members of the event, as the transcript shows them.'),
  session_id: z.string().nullable().describe('Null if the event is in no session log.'),
  title: z.string().nullable(),
  seq: z.int().describe('Number of the event in its log, and id of the message.'),
  hash: z.string().describe('SHA-256 of the event, as in the log.'),
});
documented.add(AuditEvent, { id: 'AuditEvent' });

export const WhoAmI = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: PersonRoleName,
  account: z
    .strictObject({ account_id: z.string(), name: z.string() })
    .optional()
    .describe('The account for which you act; absent while the service has only one.'),
});
