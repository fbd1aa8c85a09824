import { z } from 'zod';
import { PersonView } from '../areas/approvals/state.ts';
import { ActorName, At, NoInput, PersonRoleName, Reason, RecordRef } from '../areas/fields.ts';
import { LogLine, LogReportView, Standing } from '../areas/owner/rules.ts';
import { CreateSessionInput, GroupName } from '../areas/owner/session.ts';
import { Excerpt, Words } from '../areas/owner/transcript.ts';
import { GroupSession, SessionGlance } from '../areas/owner/view.ts';
import { documented, namedObject } from '../kernel/operation/json-schema.ts';
import { MAX_PERSON_CHARS, type PersonRole } from '../kernel/person.ts';

const pageInput = (maxSessions: number) =>
  z.strictObject({
    limit: z.int().min(1).max(maxSessions).optional().describe('Sessions on a page; default: 50.'),
    after: z.string().max(60).optional().describe('The last session_id of the previous page.'),
  });

const Said = z
  .enum(['start', 'whole'])
  .optional()
  .describe(
    "How much of an agent's words each task shows: the first 200 characters (start, the default), or as much as `view`.",
  );

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

const PauseId = z
  .string()
  .regex(/^[A-Za-z0-9]{1,40}$/, 'Must be a pause_id from an answer of pauseAll.')
  .optional();

const NEXT_AFTER_WORDS = 'Must be the next_after of the previous page.';
const MOMENT_WORDS = 'Must be a day such as 2026-11-24, or a time in UTC such as 2026-11-24T09:30Z.';

/** A session that a call on all sessions could not change, and the reason. */
const Failure = namedObject('SessionFailure', { session_id: z.string(), code: z.string(), text: z.string() });
const Failures = z.array(Failure);

const Hit = z.strictObject({
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
  ...Excerpt.shape,
});

const Moment = z
  .string()
  .max(30)
  .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/, { error: MOMENT_WORDS, abort: true })
  .refine((text) => !Number.isNaN(Date.parse(text)), MOMENT_WORDS)
  .register(documented, { id: 'AuditTime' });

const AuditFilter = z.strictObject({
  person: z.string().min(1).max(MAX_PERSON_CHARS).optional().describe('Id of the person who acted.'),
  kind: z.string().min(1).max(60).optional().describe('Type of the event, such as contract.approved.'),
  session_id: z.string().min(1).max(60).optional(),
  from: Moment.optional().describe('From this time on: a day, or a time such as 2026-11-24T09:30Z.'),
  to: Moment.optional().describe('Before this time.'),
});

const AuditEvent = namedObject('AuditEvent', {
  at: At,
  person: PersonView.nullable().describe('Null if the application named no person.'),
  kind: z.string(),
  body: z.record(z.string(), z.unknown()).describe('Members of the event, as the transcript shows them.'),
  session_id: z.string().nullable().describe('Null if the event is in no session log.'),
  title: z.string().nullable(),
  seq: z.int().describe('Number of the event in its log, and id of the message.'),
  hash: z.string().describe('SHA-256 of the event, as in the log.'),
});

const WhoAmI = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: PersonRoleName,
  account: z
    .strictObject({ account_id: z.string(), name: z.string() })
    .optional()
    .describe('The account for which you act; absent while the service has only one.'),
});

/** The reason that is stored if a call of `pauseAll` names no reason. */
const STOPPED = 'The owner stopped all sessions.';

const Seq = z.int().min(0).optional();

/**
 * The owner's calls that are not operations of a session: `whoAmI`, the calls on several sessions, and the calls that
 * create, delete, verify, export and follow a session. `streams`: the answer is not one JSON object, but JSON lines or
 * server-sent events, each as `output` describes it.
 */
export const OWNER_METHODS = {
  whoAmI: {
    summary: 'Show who you are: the person whose key or sign-in the request uses.',
    method: 'GET',
    path: '/me',
    input: NoInput,
    output: WhoAmI,
    errors: [],
  },
  overview: {
    summary: 'List sessions, each with a summary: who has the next step, and what waits for you.',
    method: 'GET',
    path: '/overview',
    input: pageInput(100).extend({ said: Said }),
    output: pageOf(SessionGlance),
    errors: [],
  },
  inbox: {
    summary: 'List the sessions in which a task waits for you, beginning with the oldest task that blocks.',
    method: 'GET',
    path: '/inbox',
    input: z.strictObject({
      limit: z.int().min(1).max(100).optional().describe('Sessions on a page; default: 50. A page may have fewer.'),
      after: z
        .string()
        .regex(/^[1-4]\.\d{1,14}\.[A-Za-z0-9_-]{1,64}$/, NEXT_AFTER_WORDS)
        .optional()
        .describe('The next_after of the previous page.'),
      said: Said,
    }),
    output: pageOf(SessionGlance).extend({
      tasks: z
        .int()
        .describe('Number of tasks that you have to settle in running sessions; absent agents do not count.'),
      counts: z
        .strictObject({
          open: z.int().describe('Number of running sessions with tasks that you have to settle.'),
          parked: z.int().describe('Number of drafts and paused sessions.'),
          absent: z
            .int()
            .describe(
              'Number of running sessions that have no task for you to settle, but an agent that is or may be absent.',
            ),
        })
        .describe('Numbers of sessions. The pages list them in this order.'),
      unread: z
        .int()
        .describe(
          'Number of sessions that an earlier version stored and that the inbox does not contain yet. Read the first page again until this number is 0.',
        ),
    }),
    errors: [],
  },
  group: {
    summary: 'Show the sessions of a group: where each stands, its contract, and what stops its release.',
    method: 'GET',
    path: '/group',
    input: z.strictObject({ name: GroupName.describe('The name of the group.'), said: Said }),
    output: z.strictObject({ sessions: z.array(GroupSession).describe('In the order in which they were created.') }),
    errors: ['UNKNOWN_RECORD'],
  },
  find: {
    summary:
      'Find words in the transcripts and contracts of all your sessions, newest first. A call reads about 2,000 events.',
    method: 'GET',
    path: '/find',
    input: z.strictObject({
      words: Words,
      after: z
        .string()
        .max(80)
        .regex(/^[^:]+:[1-9]\d{0,9}$/, NEXT_AFTER_WORDS)
        .optional()
        .describe('The next_after of the previous page.'),
      session_id: z.string().max(60).optional(),
    }),
    output: z.strictObject({
      hits: z.array(Hit),
      next_after: z
        .string()
        .nullable()
        .describe(
          'Value of after for the next call, even if this call found nothing; null when everything was searched.',
        ),
    }),
    errors: ['UNKNOWN_RECORD'],
  },
  audit: {
    summary: 'List what people have done in all your sessions, newest first.',
    method: 'GET',
    path: '/audit',
    input: AuditFilter.extend({
      limit: z.int().min(1).max(200).optional().describe('Events on a page; default: 50. A page may have fewer.'),
      after: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z~[A-Za-z0-9_-]{1,64}~[1-9]\d{0,8}$/, NEXT_AFTER_WORDS)
        .optional()
        .describe('The next_after of the previous page.'),
    }),
    output: z.strictObject({
      events: z.array(AuditEvent),
      next_after: z.string().nullable().describe('Value of after for the next page; null on the last.'),
    }),
    errors: ['LOG_BROKEN'],
  },
  exportAudit: {
    summary: 'Export what people have done in all your sessions as JSON lines, oldest first.',
    method: 'GET',
    path: '/audit/export',
    input: AuditFilter,
    output: AuditEvent,
    errors: ['LOG_BROKEN'],
    streams: 'lines',
  },
  setModeratorEntitlement: {
    summary: 'Set whether you admit moderators, in all your sessions.',
    method: 'POST',
    path: '/moderator-entitlement',
    input: z.strictObject({ entitled: z.boolean().describe('Whether you admit moderators.') }),
    output: z.strictObject({
      entitled: z.boolean(),
      sessions: z.int().describe('Number of sessions in which the value was stored.'),
    }),
    errors: ['INVALID_TRANSITION'],
  },
  pauseAll: {
    summary: 'Pause every active session of yours.',
    method: 'POST',
    path: '/pause-all',
    input: z.strictObject({
      reason: Reason.default(STOPPED).describe('The reason, which the agents can read.'),
      pause_id: PauseId.describe(
        'pause_id of an earlier call that could not pause some sessions; this call pauses those too.',
      ),
    }),
    output: z.strictObject({
      pause_id: z.string().describe('Id of this call of pauseAll; send it to resumeAll.'),
      paused: z.array(z.string()).describe('Ids of the sessions that this call has paused.'),
      failed: Failures.describe('Sessions that could not be paused.'),
    }),
    errors: [],
  },
  resumeAll: {
    summary:
      'Resume the sessions that one call of pauseAll has paused, except those that were resumed or paused again since.',
    method: 'POST',
    path: '/resume-all',
    input: z.strictObject({ pause_id: PauseId.describe('Id of the call of pauseAll to undo; by default the latest.') }),
    output: z.strictObject({
      resumed: z.array(z.string()).describe('Ids of the sessions that this call has resumed.'),
      failed: Failures.describe('Sessions that could not be resumed.'),
    }),
    errors: [],
  },
  listSessions: {
    summary: 'List your sessions, newest first.',
    method: 'GET',
    path: '/sessions',
    input: pageInput(200),
    output: pageOf(ListedSession),
    errors: [],
  },
  createSession: {
    summary: 'Open a session.',
    method: 'POST',
    path: '/sessions',
    input: CreateSessionInput,
    output: Standing,
    errors: ['LIMIT_EXCEEDED'],
  },
  deleteSession: {
    summary: 'Erase a session: every event, contract and artifact.',
    method: 'DELETE',
    path: '/sessions/{session_id}',
    input: NoInput,
    output: z.strictObject({ deleted: z.literal(true) }),
    errors: ['UNKNOWN_RECORD'],
  },
  verifyLog: {
    summary: 'Verify the hash chain of the log and report the first broken event.',
    method: 'GET',
    path: '/sessions/{session_id}/verify-log',
    input: NoInput,
    output: LogReportView,
    errors: ['UNKNOWN_RECORD'],
  },
  exportLog: {
    summary: 'Export the log as JSON lines. Each contains the exact stored text of an event and its hash.',
    method: 'GET',
    path: '/sessions/{session_id}/log',
    input: NoInput,
    output: LogLine,
    errors: ['UNKNOWN_RECORD'],
    streams: 'lines',
  },
  watch: {
    summary: 'Follow the log as server-sent events: first the stored events, then each new one.',
    method: 'GET',
    path: '/sessions/{session_id}/events',
    input: z.strictObject({
      after: Seq.describe('seq of the last event that you have.'),
      last: Seq.describe('Begin this many events before the end of the log.'),
      until: Seq.describe('seq of the event after which the stream ends.'),
    }),
    output: z.string(),
    errors: ['UNKNOWN_RECORD'],
    streams: 'events',
  },
} as const;

export type OwnerMethod = keyof typeof OWNER_METHODS;

const ROLE_OF_HTTP_METHOD = { GET: 'viewer', POST: 'operator', DELETE: 'approver' } as const;

/** The role that a person needs to call a method of the owner. */
export const roleForMethod = (name: OwnerMethod): PersonRole => ROLE_OF_HTTP_METHOD[OWNER_METHODS[name].method];

/** The answer of one of the owner's methods that do not stream. */
export type OwnerMethodOutput<N extends OwnerMethod> = z.output<(typeof OWNER_METHODS)[N]['output']>;

/** The ids in the path of a method, then its input, which can be left out if it has no required member. */
type Arguments<Method extends (typeof OWNER_METHODS)[OwnerMethod]> = Method extends {
  readonly path: `/sessions/{session_id}${string}`;
}
  ? [sessionId: string]
  : Record<never, never> extends z.input<Method['input']>
    ? [input?: z.input<Method['input']>]
    : [input: z.input<Method['input']>];

/** The methods of `OWNER_METHODS` as functions, such as `owner.pauseAll({ reason })`, except `watch`. */
export type OwnerMethods = {
  readonly [N in Exclude<OwnerMethod, 'watch'>]: (
    ...args: Arguments<(typeof OWNER_METHODS)[N]>
  ) => (typeof OWNER_METHODS)[N] extends { readonly streams: 'lines' }
    ? AsyncIterable<string>
    : Promise<OwnerMethodOutput<N>>;
};
