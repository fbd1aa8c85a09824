import { z } from 'zod';
import { CreateSessionInput, createdDraft } from './areas/owner/create-session.ts';
import { viewStanding } from './areas/owner/schemas.ts';
import { ownerOperations } from './areas/owner-registry.ts';
import type { SessionState } from './areas/state.ts';
import { createExactly, prepareEvents } from './kernel/append.ts';
import { readArguments } from './kernel/arguments.ts';
import { type Engine, loadState } from './kernel/engine.ts';
import { fail } from './kernel/errors.ts';
import { type LoggedEvent, readEvent } from './kernel/event.ts';
import { validateInput } from './kernel/input.ts';
import { publishedSchema } from './kernel/json-schema.ts';
import { plainJson } from './kernel/json-text.ts';
import { EVENTS_PER_READ, MAX_WAIT_SECONDS } from './kernel/limits.ts';
import type { InputOf, Operation, OutputOf } from './kernel/operation.ts';
import type { OwnerListing, OwnerPort } from './kernel/owner-port.ts';
import type { StoredEvent } from './kernel/storage.ts';
import { randomText, SESSION_ID_CHARS } from './kernel/token.ts';
import { verifyLog } from './kernel/verify-log.ts';
import { refreshSession } from './kernel/wake-ups.ts';

type OwnerOperation = (typeof ownerOperations)[number];
type Named<N extends string> = Extract<OwnerOperation, { readonly name: N }>;

/** The owner's operations as methods: `owner.pause(sessionId, { reason })`. */
export type OwnerCalls = {
  readonly [N in OwnerOperation['name']]: (sessionId: string, input?: InputOf<Named<N>>) => Promise<OutputOf<Named<N>>>;
};

/** One owner's side of Parley. Every method reaches sessions of this owner only. */
export type Owner = OwnerPort & OwnerCalls;

/** What the owner's faces (HTTP, CLI, console) are derived from. */
export const ownerListings: readonly OwnerListing[] = ownerOperations.map(({ name, summary, input, decide }) => ({
  name,
  summary,
  input,
  effect: decide ? 'write' : 'read',
}));

const byName = new Map<string, Operation<SessionState>>(
  ownerOperations.map((operation) => [operation.name, operation]),
);

const ListInput = z.strictObject({
  limit: z.int().min(1).max(200).optional().describe('Sessions a page; 50 when left out.'),
  after: z.string().max(60).optional().describe('The last session_id of the page before.'),
});

export function createOwner(engine: Engine<SessionState>, ownerId: string): Owner {
  const port: OwnerPort = {
    call: (name, sessionId, input) => callOwner({ engine, ownerId, sessionId }, name, input),
    createSession: (input) => createSession(engine, ownerId, input),
    listSessions: (page) => listSessions(engine, ownerId, page),
    deleteSession: (sessionId) => deleteSession(engine, ownerId, sessionId),
    exportLog: (sessionId) => exportLog(engine, ownerId, sessionId),
    verifyLog: async (sessionId) => {
      const { head } = await ownState(engine, ownerId, sessionId);
      return await verifyLog(storedEvents(engine, sessionId, 1, head.seq), head);
    },
    watch: (sessionId, options) => watch(engine, ownerId, sessionId, options),
  };
  const calls = ownerOperations.map(({ name }) => [
    name,
    (sessionId: string, input?: unknown) => port.call(name, sessionId, input),
  ]);
  return { ...Object.fromEntries(calls), ...port } as Owner;
}

function unknownSession(sessionId: string): never {
  return fail('UNKNOWN_RECORD', 'There is no such session of yours.', {
    record: { type: 'session', id: sessionId.slice(0, 60) },
  });
}

const identifyOwner = (ownerId: string, sessionId: string) => (state: SessionState) =>
  state.ownerId === ownerId ? { role: 'owner' as const } : unknownSession(sessionId);

interface OwnSession {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
  readonly sessionId: string;
}

async function callOwner({ engine, ownerId, sessionId }: OwnSession, name: string, raw: unknown) {
  const operation = byName.get(name) ?? fail('NOT_FOUND', `There is no owner operation ${name.slice(0, 60)}.`);
  const { input } = readArguments(operation, plainJson(raw ?? {}), { source: 'json', sessionId });
  const identify = identifyOwner(ownerId, sessionId);
  const absent = () => unknownSession(sessionId);
  const result = await engine.run({
    operation,
    sessionId,
    identify,
    absent,
    holder: ownerId,
    input,
    idempotency: undefined,
  });
  return result as Readonly<Record<string, unknown>>;
}

/** A state that is confirmed and this owner's. */
async function ownState(engine: Engine<SessionState>, ownerId: string, sessionId: string): Promise<SessionState> {
  const state = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
  identifyOwner(ownerId, sessionId)(state);
  return state;
}

async function createSession(engine: Engine<SessionState>, ownerId: string, raw: unknown) {
  const input = validateInput(CreateSessionInput, publishedSchema(CreateSessionInput), plainJson(raw ?? {}));
  const sessionId = randomText(engine.random, SESSION_ID_CHARS);
  const prepared = prepareEvents(
    engine.domain,
    engine.domain.empty(sessionId),
    [createdDraft(input, ownerId)],
    engine.clock.now(),
  );
  await createExactly(engine.storage, engine.domain, prepared, []);
  return viewStanding(prepared.state);
}

async function listSessions(engine: Engine<SessionState>, ownerId: string, raw: unknown) {
  const { limit = 50, after } = validateInput(ListInput, publishedSchema(ListInput), plainJson(raw ?? {}));
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
  await ownState(engine, ownerId, sessionId);
  await engine.storage.delete(sessionId);
  await refreshSession(engine, sessionId);
  engine.storage.hint([sessionId]);
  return { deleted: true };
}

async function* storedEvents(
  { storage }: Engine<SessionState>,
  sessionId: string,
  from: number,
  to: number,
): AsyncGenerator<StoredEvent> {
  for (let first = from; first <= to; first += EVENTS_PER_READ) {
    yield* await storage.events(sessionId, first, Math.min(to, first + EVENTS_PER_READ - 1));
  }
}

async function* exportLog(engine: Engine<SessionState>, ownerId: string, sessionId: string): AsyncGenerator<string> {
  const { head } = await ownState(engine, ownerId, sessionId);
  for await (const { hash, body } of storedEvents(engine, sessionId, 1, head.seq)) {
    yield `${JSON.stringify({ hash, event: body })}\n`;
  }
}

async function* watch(
  engine: Engine<SessionState>,
  ownerId: string,
  sessionId: string,
  { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<LoggedEvent> {
  const holder = `watch:${randomText(engine.random, 12)}`;
  for (let last = after; !signal?.aborted; ) {
    const waiter = engine.waiters.register(sessionId, holder, Number.POSITIVE_INFINITY);
    try {
      const { head } = await ownState(engine, ownerId, sessionId);
      for await (const stored of storedEvents(engine, sessionId, last + 1, head.seq)) yield readEvent(stored);
      last = Math.max(last, head.seq);
      const seen = last;
      const found = await waiter.until((state) => state.head.seq > seen, MAX_WAIT_SECONDS * 1000, signal);
      if (found === null && engine.waiters.isDraining()) return;
    } finally {
      waiter.release();
    }
  }
}
