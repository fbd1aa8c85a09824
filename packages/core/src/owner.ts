import type { z } from 'zod';
import type { Notice } from './areas/notices/rules.ts';
import { type CreateSession, createdDraft } from './areas/owner/create-session.ts';
import { type Standing, viewStanding } from './areas/owner/schemas.ts';
import { ownerOperations } from './areas/owner-registry.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine/engine.ts';
import { fail } from './kernel/errors.ts';
import { plainJson } from './kernel/json-text.ts';
import { observeWork } from './kernel/observe/instrumentation.ts';
import { readArguments } from './kernel/operation/arguments.ts';
import type { InputOf, Operation, OutputOf } from './kernel/operation/operation.ts';
import type { OwnerListing, OwnerPort } from './kernel/operation/owner-port.ts';
import { quotedName } from './kernel/safe-echo.ts';
import { createExactly, prepareEvents } from './kernel/session/append.ts';
import { randomText, SESSION_ID_CHARS } from './kernel/token/token.ts';
import { refreshSession } from './kernel/waiting/wake-ups.ts';
import { identifyOwner, type OwnSession, ownListing, unknownSession } from './own-session.ts';
import { copyEntitlement, followEntitlement, setModeratorEntitlement } from './owner-entitlement.ts';
import { exportLog, verifyStoredLog, watchLog } from './owner-log.ts';
import {
  type Entitlement,
  type Overview,
  OWNER_METHODS,
  type OwnerMethodInput,
  readInput,
  type SessionPage,
} from './owner-methods.ts';
import { type Delivery, type NoticeListener, readDueNotices, recordNotice, watchNotices } from './owner-notices.ts';
import { overviewOf } from './owner-overview.ts';

type OwnerOperation = (typeof ownerOperations)[number];
type Named<N extends string> = Extract<OwnerOperation, { readonly name: N }>;

/** The owner's operations as methods: `owner.pause(sessionId, { reason })`. */
export type OwnerCalls = {
  readonly [N in OwnerOperation['name']]: (sessionId: string, input?: InputOf<Named<N>>) => Promise<OutputOf<Named<N>>>;
};

interface TypedOwnerPort extends OwnerPort {
  createSession(input: CreateSession): Promise<z.output<typeof Standing>>;
  listSessions(page?: OwnerMethodInput<'listSessions'>): Promise<SessionPage>;
  overview(page?: OwnerMethodInput<'overview'>): Promise<Overview>;
  setModeratorEntitlement(input: OwnerMethodInput<'setModeratorEntitlement'>): Promise<Entitlement>;
  /** Notices that are due in a session, for a service that sends them to the owner. */
  dueNotices(sessionId: string): Promise<readonly Notice[]>;
  recordNotice(sessionId: string, delivery: Delivery): Promise<void>;
  /**
   * Calls `listener` after each write of this process, but not after writes of other processes. Returns the function that ends
   * the calls.
   */
  watchNotices(listener: NoticeListener): () => void;
}

/** One owner's side of Parley. Every method reaches only sessions of this owner. */
export type Owner = TypedOwnerPort & OwnerCalls;

/** The registry from which the owner's HTTP API, CLI and console are derived. */
export const ownerListings: readonly OwnerListing[] = ownerOperations.map(({ name, summary, input, decide }) => ({
  name,
  summary,
  input,
  effect: decide ? 'write' : 'read',
}));

const byName = new Map<string, Operation<SessionState>>(
  ownerOperations.map((operation) => [operation.name, operation]),
);

export function createOwner(engine: Engine<SessionState>, ownerId: string): Owner {
  const told = observerOf(engine);
  const port: TypedOwnerPort = {
    call: (name, sessionId, input) => callOwner({ engine, ownerId, sessionId }, name, input),
    createSession: (input) => told('createSession', 'write', () => createSession(engine, ownerId, input)),
    listSessions: (page) => told('listSessions', 'read', () => listSessions(engine, ownerId, page)),
    overview: (page) => told('overview', 'read', () => overviewOf(engine, ownerId, page)),
    setModeratorEntitlement: (input) =>
      told('setModeratorEntitlement', 'write', () => setModeratorEntitlement({ engine, ownerId }, input)),
    dueNotices: (sessionId) => readDueNotices({ engine, ownerId, sessionId }),
    recordNotice: (sessionId, delivery) => recordNotice({ engine, ownerId, sessionId }, delivery),
    watchNotices: (listener) => watchNotices(engine, ownerId, listener),
    deleteSession: (sessionId) =>
      told('deleteSession', 'write', () => deleteSession(engine, ownerId, sessionId), sessionId),
    exportLog: (sessionId) => exportLog({ engine, ownerId, sessionId }),
    verifyLog: (sessionId) =>
      told('verifyLog', 'read', () => verifyStoredLog({ engine, ownerId, sessionId }), sessionId),
    watch: (sessionId, options) => watchLog({ engine, ownerId, sessionId }, options),
  };
  const calls = ownerOperations.map(({ name }) => [
    name,
    (sessionId: string, input?: unknown) => port.call(name, sessionId, input),
  ]);
  return { ...Object.fromEntries(calls), ...port } as Owner;
}

function observerOf({ observer }: Engine<SessionState>) {
  return async <T>(
    operation: string,
    kind: 'read' | 'write',
    begin: () => Promise<T>,
    sessionId?: string,
  ): Promise<T> =>
    observer ? await observeWork(observer, { operation, kind, sessionId }, begin, () => 'owner') : await begin();
}

async function callOwner({ engine, ownerId, sessionId }: OwnSession, name: string, raw: unknown) {
  const operation = byName.get(name) ?? fail('NOT_FOUND', `There is no owner operation ${quotedName(name)}.`);
  const { input } = readArguments(operation, plainJson(raw ?? {}), { sessionId });
  const identify = identifyOwner(ownerId, sessionId);
  const absent = () => unknownSession(sessionId);
  const { value } = await engine.run({
    operation,
    sessionId,
    identify,
    absent,
    holder: ownerId,
    input,
    idempotency: undefined,
  });
  return value as Readonly<Record<string, unknown>>;
}

async function createSession(engine: Engine<SessionState>, ownerId: string, raw: unknown) {
  const input = readInput(OWNER_METHODS.createSession.input, raw);
  const sessionId = randomText(engine.random, SESSION_ID_CHARS);
  const copied = await copyEntitlement({ engine, ownerId });
  const prepared = prepareEvents(
    engine.domain,
    engine.domain.empty(sessionId),
    [createdDraft(input, { ownerId, isModeratorEntitled: copied.entitled, quotas: engine.limits.quotas })],
    engine.clock.now(),
  );
  await createExactly(engine, prepared);
  await followEntitlement({ engine, ownerId }, sessionId, copied);
  return viewStanding(prepared.state);
}

async function listSessions(engine: Engine<SessionState>, ownerId: string, raw: unknown): Promise<SessionPage> {
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

async function deleteSession(
  engine: Engine<SessionState>,
  ownerId: string,
  sessionId: string,
): Promise<{ deleted: true }> {
  await ownListing({ engine, ownerId, sessionId });
  await engine.storage.delete(sessionId);
  await refreshSession(engine, sessionId);
  engine.storage.hint([sessionId]);
  return { deleted: true };
}
