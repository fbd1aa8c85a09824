import type { z } from 'zod';
import type { Notice } from '../areas/notices/rules.ts';
import { viewStanding } from '../areas/owner/rules.ts';
import { createdDraft } from '../areas/owner/session.ts';
import { view } from '../areas/owner/view.ts';
import { ownerOperations } from '../areas/owner-registry.ts';
import { visibleLabel } from '../areas/rendering/markdown.ts';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { ownerUseOf } from '../kernel/engine/owner-allowances.ts';
import { NO_CALLS, presenceOf } from '../kernel/engine/replies.ts';
import { fail, ParleyError } from '../kernel/errors.ts';
import { attributed, type Head, type LoggedEvent } from '../kernel/log/event.ts';
import { observeWork } from '../kernel/observe/instrumentation.ts';
import { readArguments } from '../kernel/operation/arguments.ts';
import type { Keyed } from '../kernel/operation/host-port.ts';
import { readInput } from '../kernel/operation/input.ts';
import {
  type Effect,
  effectOf,
  type InputOf,
  type Operation,
  type OutputOf,
  roleNeeded,
} from '../kernel/operation/operation.ts';
import { FIRST_PERSON, type PersonRole, requireRole } from '../kernel/person.ts';
import type { Presence } from '../kernel/roles.ts';
import { createExactly, prepareEvents } from '../kernel/session/append.ts';
import type { ListedSession, StoredDocument } from '../kernel/storage/storage.ts';
import { plainJson } from '../kernel/text/json-reading.ts';
import { quotedName } from '../kernel/text/safe-echo.ts';
import { randomText, SESSION_ID_CHARS } from '../kernel/token/token.ts';
import type { FindLeft } from '../people/leaving.ts';
import { auditOf, exportAudit } from './audit.ts';
import { copyEntitlement, followEntitlement, setModeratorEntitlement } from './entitlement.ts';
import { findWords } from './find.ts';
import { applyToken } from './forge.ts';
import { groupOf, joinGroup, requireGroupReady } from './groups.ts';
import {
  type Delivery,
  inboxOf,
  type NoticeListener,
  overviewOf,
  readDueNotices,
  recordNotice,
  waitingSessions,
  watchNotices,
} from './inbox.ts';
import { answerOnce, type KeyedRequest } from './keyed-log.ts';
import { leftBehind } from './left-behind.ts';
import { OWNER_METHODS, type OwnerMethod, type OwnerMethods, roleForMethod } from './methods.ts';
import { judgedPerson, type OwnerOf, type OwnSession, readInTurn, runOwn } from './own-session.ts';
import { pauseAll, resumeAll } from './pause.ts';
import {
  deleteSession,
  documentsUpTo,
  type EndedSession,
  type ExportedSession,
  endedSessions,
  eraseExported,
  isHeld,
  logUpTo,
  storedHead,
} from './retention.ts';
import { exportLog, verifyStoredLog, watchLog } from './session-log.ts';

/** What a client that shows the session needs after a write, so that it need not read it. */
export interface After {
  /** What the write has done. */
  readonly said: string;
  /** The session after the write, as the operation `view` answers. */
  readonly view: OutputOf<typeof view>;
}

interface Representing {
  /** The latest calls of the agents, for the view. */
  readonly presence: Presence;
  /** Gets the error if `after` cannot be made. The write is stored all the same, and its answer lacks `after`. */
  readonly onFailure: ((error: unknown) => void) | undefined;
}

/** Returns a write whose answer has the further member `after`. */
function withAfter(operation: Operation<SessionState>, { presence, onFailure }: Representing): Operation<SessionState> {
  let decidedOn: SessionState | undefined;
  return {
    ...operation,
    decide(state, ...rest) {
      decidedOn = state;
      return operation.decide?.(state, ...rest) ?? [];
    },
    reply(state, input, context) {
      const answer = operation.reply(state, input, context);
      const done = { input, answer, before: decidedOn ?? state, nameOf: namesIn(state) };
      try {
        const after: After = {
          said: operation.said?.(done) ?? 'Done.',
          view: view.reply(state, {}, { ...context, presence }),
        };
        return { ...Object(answer), after };
      } catch (error) {
        onFailure?.(error);
        return answer;
      }
    },
  };
}

const NAME_CHARS = 200;

/** Returns a function that names an agent of the session in one line, in which all characters are visible. */
const namesIn =
  ({ profile }: SessionState) =>
  (role: string): string => {
    if (role === 'owner') return 'you';
    const [agent] = Object.entries(profile.agents).flatMap(([one, { name }]) => (one === role ? [name] : []));
    const name = visibleLabel(agent ?? '', NAME_CHARS);
    return name === '' || name.toLowerCase() === role ? role : `${name} (${role})`;
  };

/** Stores a new session, and returns where it stands. @throws ParleyError INVALID_INPUT, LIMIT_EXCEEDED, ROLE_FORBIDDEN */
async function createSession(owner: OwnerOf, raw: unknown, keyed?: Keyed) {
  const { engine, ownerId } = owner;
  const input = readInput(OWNER_METHODS.createSession.input, raw);
  const sessionId = keyed?.newSessionId ?? randomText(engine.random, SESSION_ID_CHARS);
  const copied = await copyEntitlement(owner);
  const person = await judgedPerson(owner, roleForMethod('createSession'), 'createSession');
  const created = createdDraft(input, { ownerId, isModeratorEntitled: copied.entitled, quotas: engine.limits.quotas });
  const prepared = prepareEvents(
    engine.domain,
    engine.domain.empty(sessionId),
    [attributed(created, 'owner', person)],
    engine.clock.now(),
  );
  const place = engine.domain.inboxPlace(prepared.state, engine.limits.silentAfterMs);
  const answer = viewStanding(prepared.state);
  await keyed?.promise({ sessionId, ...prepared.state.head }, answer);
  const reservation = await engine.allowances?.reserve(ownerId, ownerUseOf(prepared.stored, prepared.documents, 1));
  if (reservation instanceof ParleyError) throw reservation;
  try {
    if (input.group !== undefined) await joinGroup({ ...owner, person }, input.group, sessionId);
    await createExactly(engine, prepared, place);
    reservation?.keep();
  } catch (error) {
    reservation?.release();
    throw error;
  }
  // The session is stored. `setModeratorEntitlement` lists the sessions again, so it reaches this one too.
  await followEntitlement({ engine, ownerId, person }, sessionId, copied).catch((error: unknown) =>
    engine.onCommittedFailure?.(error),
  );
  return answer;
}

type OwnerOperation = (typeof ownerOperations)[number];
type Named<N extends string> = Extract<OwnerOperation, { readonly name: N }>;

/** The owner's operations as methods, such as `owner.pause(sessionId, { reason })`. */
export type OwnerCalls = {
  readonly [N in OwnerOperation['name']]: (sessionId: string, input?: InputOf<Named<N>>) => Promise<OutputOf<Named<N>>>;
};

/** The calls with which a service exports and erases sessions that ended long ago. */
export interface RetentionCalls {
  /** The sessions that ended before a time (ISO 8601 UTC), oldest first. Folds no session. */
  endedSessions(before: string): AsyncIterable<EndedSession>;
  /** Whether a hold of the moderator is active in the session. */
  isHeld(sessionId: string): Promise<boolean>;
  head(sessionId: string): Promise<Head>;
  /** The log up to a head, as JSON lines. The same head gives the same lines. */
  log(sessionId: string, head: Head): AsyncIterable<string>;
  /** The large texts beside the log up to a head, such as revisions of the contract. The same head gives the same texts. */
  documents(sessionId: string, head: Head): AsyncIterable<StoredDocument>;
  /** Erases a session if its log still has the exported head, and records the erasure. Returns whether the session was erased. */
  erase(sessionId: string, exported: ExportedSession): Promise<boolean>;
}

/** The calls of one owner by the names of operations, of a stream, and for the service itself. */
interface FurtherCalls {
  /**
   * Runs a write at most once for each idempotency key of the person. The same request with the same key gets the first answer for
   * 24 hours, also from another process. A refused write does not use its key up.
   *
   * @param run makes the write with the calls that it gets
   */
  answerOnce(request: KeyedRequest, run: (owner: Owner) => Promise<object>): Promise<object>;
  /** Runs an operation on one session, such as start, pause, invite, ask, view or transcript. */
  call(name: string, sessionId: string, input?: unknown): Promise<Json>;
  /**
   * Like `call`. The answer to a write has the further member `after`: `said`, what the write has done, and `view`, the session
   * after it.
   */
  act(name: string, sessionId: string, input?: unknown): Promise<Json>;
  /**
   * All events whose number is greater than `after`: first the stored events, then each new event. Ends when `signal`
   * aborts or when the service drains.
   */
  watch(sessionId: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<LoggedEvent>;
  /** The calls for a service that erases old sessions. They check no role, so pass them only to the service itself. */
  readonly retention: RetentionCalls;
  /** Finds what people leave behind, for `calls` of `openPeople`, whose calls have checked the role. */
  readonly leftBehind: FindLeft;
  /** The sessions in which something can wait for the owner, for a service that sends notices. */
  waitingSessions(): AsyncIterable<ListedSession>;
  /** The notices that must be delivered for a session, for a service that sends them to the owner. */
  dueNotices(sessionId: string): Promise<readonly Notice[]>;
  recordNotice(sessionId: string, delivery: Delivery): Promise<void>;
  /**
   * Calls `listener` after each write of this process, but not after writes of other processes. Returns a function that removes the
   * listener.
   */
  watchNotices(listener: NoticeListener): () => void;
}

/** The calls of one owner, for the sessions of this owner only. A call that fails rejects with a ParleyError. */
export type Owner = OwnerMethods & FurtherCalls & OwnerCalls;

/**
 * An operation as the owner's HTTP API, CLI and console use it. `name` is in camelCase; the route and the command have the
 * same name in kebab-case.
 */
export interface OwnerListing {
  readonly name: string;
  readonly summary: string;
  /** A `write` has the route POST <name-in-kebab-case>, a `read` has GET. */
  readonly effect: Effect;
  readonly input: z.ZodType;
  /** The role that a person needs for this operation. */
  readonly roleNeeded: PersonRole;
}

/** The operations from which the owner's HTTP API, CLI and console are derived. */
export const ownerListings: readonly OwnerListing[] = ownerOperations.map(
  ({ name, summary, input, access, decide }) => ({
    name,
    summary,
    input,
    effect: effectOf({ decide }),
    roleNeeded: roleNeeded({ access, decide }),
  }),
);

const byName = new Map<string, Operation<SessionState>>(
  ownerOperations.map((operation) => [operation.name, operation]),
);

/**
 * Creates the calls of one owner.
 *
 * @param owner if it has no person, the application itself acts and may make every call
 */
export function createOwner(owner: OwnerOf, keyed?: Keyed): Owner {
  const { engine, ownerId } = owner;
  const method = methodRunner(owner);
  const port: OwnerMethods & FurtherCalls = {
    whoAmI: () => method('whoAmI', () => whoIs(owner)),
    answerOnce: (request, run) => answerOnce(owner, request, (keyedCall) => run(createOwner(owner, keyedCall))),
    call: (name, sessionId, input) => callOwner({ ...owner, sessionId, keyed }, name, input),
    act: (name, sessionId, input) => actAsOwner({ ...owner, sessionId, keyed }, name, input),
    createSession: (input) => method('createSession', () => createSession(owner, input, keyed)),
    listSessions: (page) => method('listSessions', () => listSessions(engine, ownerId, page)),
    overview: (page) => method('overview', () => overviewOf(owner, page)),
    inbox: (page) => method('inbox', () => inboxOf(owner, page)),
    waitingSessions: () => waitingSessions(engine, ownerId),
    group: (group) => method('group', () => groupOf(owner, group)),
    find: (search) => method('find', () => findWords(engine, ownerId, search)),
    audit: (page) => method('audit', () => auditOf(owner, page)),
    exportAudit: (filter) => exportAudit(owner, filter),
    setModeratorEntitlement: (input) => method('setModeratorEntitlement', () => setModeratorEntitlement(owner, input)),
    pauseAll: (input) => method('pauseAll', () => pauseAll(owner, input)),
    resumeAll: (input) => method('resumeAll', () => resumeAll(owner, input)),
    leftBehind: (gone, ends) => leftBehind(owner, gone, ends),
    dueNotices: (sessionId) => readDueNotices({ ...owner, sessionId }),
    retention: {
      endedSessions: (before) => endedSessions(owner, before),
      isHeld: (sessionId) => isHeld({ ...owner, sessionId }),
      head: (sessionId) => storedHead({ ...owner, sessionId }),
      log: (sessionId, head) => logUpTo({ ...owner, sessionId }, head),
      documents: (sessionId, head) => documentsUpTo({ ...owner, sessionId }, head),
      erase: (sessionId, exported) => eraseExported({ ...owner, sessionId }, exported),
    },
    recordNotice: (sessionId, delivery) => recordNotice({ engine, ownerId, sessionId }, delivery),
    watchNotices: (listener) => watchNotices(engine, ownerId, listener),
    deleteSession: (sessionId) => method('deleteSession', () => deleteSession({ ...owner, sessionId }), sessionId),
    exportLog: (sessionId) => exportLog({ engine, ownerId, sessionId }),
    verifyLog: (sessionId) => method('verifyLog', () => verifyStoredLog({ engine, ownerId, sessionId }), sessionId),
    watch: (sessionId, options) => watchLog({ engine, ownerId, sessionId }, options),
  };
  const calls = ownerOperations.map(({ name }) => [
    name,
    (sessionId: string, input?: unknown) => port.call(name, sessionId, input),
  ]);
  return { ...Object.fromEntries(calls), ...port } as Owner;
}

/** Returns a function that runs a method of the owner: it checks the person's role, and reports the call to the observer. */
function methodRunner(owner: OwnerOf) {
  const { engine, person } = owner;
  const { observer } = engine;
  return async <T>(name: OwnerMethod, begin: () => Promise<T>, sessionId?: string): Promise<T> => {
    requireRole(person, roleForMethod(name), name);
    const kind = OWNER_METHODS[name].method === 'GET' ? 'read' : 'write';
    const run = kind === 'read' && !PAGED.has(name) ? () => readInTurn(owner, begin) : begin;
    return observer
      ? await observeWork(observer, { operation: name, kind, sessionId }, run, () => 'owner')
      : await run();
  };
}

/** The methods that read a log page by page, each page in turn. */
const PAGED: ReadonlySet<OwnerMethod> = new Set(['verifyLog']);

type Json = Readonly<Record<string, unknown>>;

async function callOwner(given: OwnSession, name: string, raw: unknown): Promise<Json> {
  const { operation, input, own } = checkedCall(given, name, raw);
  const run = () => runOwn(own, operation, input);
  if (!operation.decide) return (await readInTurn(own, run)) as Json;
  await applyToken(own, operation, input);
  return (await run()) as Json;
}

/** Like `callOwner`. The answer to a write has the further member `after`, unless `after` cannot be made. */
async function actAsOwner(given: OwnSession, name: string, raw: unknown): Promise<Json> {
  const { operation, input, own } = checkedCall(given, name, raw);
  if (!operation.decide) return await callOwner(given, name, raw);
  // Only a part of the view beside the write: the write does not fail with it.
  const calls = await own.engine.presence.of(own.sessionId).catch(() => NO_CALLS);
  const presence = presenceOf(own.engine, calls);
  const onFailure = own.engine.onCommittedFailure;
  await applyToken(own, operation, input);
  return (await runOwn(own, withAfter(operation, { presence, onFailure }), input)) as Json;
}

function checkedCall(own: OwnSession, name: string, raw: unknown) {
  const { sessionId, person } = own;
  const operation = byName.get(name) ?? fail('NOT_FOUND', `There is no owner operation ${quotedName(name)}.`);
  requireRole(person, roleNeeded(operation), name);
  const { input } = readArguments(operation, plainJson(raw ?? {}), { sessionId });
  const waits = asksForGroup(input);
  return {
    operation,
    input,
    own: waits ? { ...own, judge: (state: SessionState) => requireGroupReady(own, state) } : own,
  };
}

const asksForGroup = (input: unknown): boolean => Object(input).group_ready === true;

/** Who makes the calls. An application that names no person acts with all rights. */
async function whoIs({ ownerId, person = { ...FIRST_PERSON, id: ownerId }, account }: OwnerOf) {
  const own = await account?.();
  return own ? { ...person, account: own } : person;
}

async function listSessions(engine: Engine<SessionState>, ownerId: string, raw: unknown) {
  const { limit = 50, after } = readInput(OWNER_METHODS.listSessions.input, raw);
  const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
  const sessions = page.map(({ sessionId, title, status, phase, createdAt, seq }) => ({
    session_id: sessionId,
    title,
    status,
    phase,
    created_at: createdAt,
    events: seq,
  }));
  return { sessions, next_after: page.length === limit ? (page.at(-1)?.sessionId ?? null) : null };
}
