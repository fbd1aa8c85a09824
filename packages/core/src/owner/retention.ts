/**
 * The log of an owner's erased sessions. Each owner has one such log. It is stored like a session, under a session id
 * that no session has and an owner id that no owner has. An erasure is recorded before the session is deleted. After a
 * crash between record and deletion, the session still exists and the erasure can be repeated; the same erasure is
 * recorded only once.
 */
import { z } from 'zod';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { type Head, readEvent } from '../kernel/log/event.ts';
import { type DraftsOf, defineEvents, type EventsOf, message } from '../kernel/log/event-catalog.ts';
import { emptyMap, lookUp, type PersistentMap, withEntry, withoutEntry } from '../kernel/log/persistent-collections.ts';
import type { SessionRoot } from '../kernel/operation/operation.ts';
import { ERASURE_LOG_PREFIX, erasureOwnerOf, type PersonRef } from '../kernel/person.ts';
import { type OwnLog, openOwnLog, ownLogDomain } from '../kernel/session/own-log.ts';
import { logLines, storedEvents } from '../kernel/storage/storable.ts';
import type { StoredDocument } from '../kernel/storage/storage.ts';
import { sha256Hex } from '../kernel/text/hash.ts';
import { refreshSession } from '../kernel/waiting/wake-ups.ts';
import { dropTokens } from './forge.ts';
import { roleForMethod } from './methods.ts';
import {
  judgedPerson,
  type OwnerOf,
  type OwnSession,
  ownerEventPages,
  ownListing,
  ownState,
  pagesOf,
  unknownSession,
} from './own-session.ts';

export const erasureEvents = defineEvents({
  'session.erased': message(
    {
      session_id: z.string(),
      title: z.string(),
      /** Number of events in the erased log. */
      events: z.int(),
      /** Hash of the last event in the erased log. */
      head_hash: z.string(),
      /** Where the log was exported to. Absent if a person erased the session. */
      exported_to: z.string().optional(),
      /** SHA-256 of the exported log. */
      checksum: z.string().optional(),
      /** SHA-256 of the exported documents. */
      documents_checksum: z.string().optional(),
    },
    { seenBy: 'owner' },
  ),
  /** An erasure that was recorded but not done, because the log of the session got a new event. */
  'session.not_erased': message(
    {
      session_id: z.string(),
      title: z.string(),
      /** The `head_hash` of the `session.erased` event. */
      head_hash: z.string(),
    },
    { seenBy: 'owner' },
  ),
});

type ErasureDraft = DraftsOf<typeof erasureEvents>;
type ErasureEvent = EventsOf<typeof erasureEvents>;
type DataOf<K extends ErasureDraft['kind']> = Extract<ErasureDraft, { readonly kind: K }>['data'];
type Erasure = DataOf<'session.erased'>;

interface Erasures extends SessionRoot {
  /** The hash of the last event of each erased session, by session id. */
  readonly heads: PersistentMap<string>;
}

/** The ids under which a storage keeps the log of an owner's erased sessions. */
export const erasureLogOf = (ownerId: string) => ({
  sessionId: `${ERASURE_LOG_PREFIX}${sha256Hex(ownerId).slice(0, 40)}`,
  ownerId: erasureOwnerOf(ownerId),
});

const domainOf = (ownerId: string) =>
  ownLogDomain<Erasures>({
    ...{ catalog: erasureEvents, ownerId, title: 'Erased sessions', phase: 'ERASED' },
    start: { heads: emptyMap() },
    evolve({ heads }, event) {
      const { kind, data } = event as ErasureEvent;
      const { session_id, head_hash } = data;
      const isErased = kind === 'session.erased';
      return { heads: isErased ? withEntry(heads, session_id, head_hash) : withoutEntry(heads, session_id) };
    },
  });

/** The opened logs of erased sessions, by owner id, for each engine. */
const opened = new WeakMap<Engine<SessionState>, Map<string, OwnLog<Erasures, ErasureDraft>>>();

function logOf({ engine, ownerId }: OwnerOf): OwnLog<Erasures, ErasureDraft> {
  const logs = opened.get(engine) ?? new Map<string, OwnLog<Erasures, ErasureDraft>>();
  opened.set(engine, logs);
  const ids = erasureLogOf(ownerId);
  const { storage, clock, random } = engine;
  const parts = {
    storage,
    clock,
    random,
    sessionId: ids.sessionId,
    about: 'erased sessions',
    onState: () => undefined,
  };
  const log = logs.get(ownerId) ?? openOwnLog<Erasures, ErasureDraft>({ ...parts, domain: domainOf(ids.ownerId) });
  logs.set(ownerId, log);
  return log;
}

/** Records that a session is erased, unless the same erasure is recorded already. */
async function recordErasure(
  owner: OwnerOf,
  who: () => Promise<PersonRef | undefined>,
  erasure: Erasure,
): Promise<void> {
  const { session_id, head_hash } = erasure;
  await logOf(owner).change(who, ({ heads }) =>
    lookUp(heads, session_id) === head_hash ? [] : [{ kind: 'session.erased', data: erasure }],
  );
}

/**
 * Records that an erasure was not done. Stores nothing if the log of erasures does not contain the erasure, or already
 * records that it was not done.
 */
async function recordNotErased(
  owner: OwnerOf,
  who: () => Promise<PersonRef>,
  { session_id, title, head_hash }: DataOf<'session.not_erased'>,
): Promise<void> {
  await logOf(owner).change(who, ({ heads }) =>
    lookUp(heads, session_id) === head_hash
      ? [{ kind: 'session.not_erased', data: { session_id, title, head_hash } }]
      : [],
  );
}

/** A session that has ended. */
export interface EndedSession {
  readonly sessionId: string;
  readonly title: string;
  /** Time at which the session ended, ISO 8601 UTC. */
  readonly endedAt: string;
}

/** A verified export of a session, after which the session may be erased. */
export interface ExportedSession {
  /** The head of the exported log. */
  readonly head: Head;
  /** Where the log was exported to. */
  readonly exportedTo: string;
  /** SHA-256 of the exported log, hex. */
  readonly checksum: string;
  /** SHA-256 of the exported documents, hex. */
  readonly documentsChecksum: string;
}

/** The name that events give instead of a person if a session was erased because of the retention settings. */
const retention = async (): Promise<PersonRef> => ({ id: 'parley:retention', name: 'Retention' });

/** The sessions of an owner that ended before a time (ISO 8601 UTC), oldest first. Folds no session. */
export async function* endedSessions(owner: OwnerOf, before: string): AsyncGenerator<EndedSession> {
  const ended = { order: 'oldest', kind: 'session.ended', to: before } as const;
  for await (const page of ownerEventPages(owner, [owner.ownerId], ended, (events) => events))
    for (const stored of page)
      yield { sessionId: stored.sessionId, title: stored.title, endedAt: readEvent(stored).at };
}

export const isHeld = async (own: OwnSession): Promise<boolean> => (await ownState(own)).holds.active.length > 0;

/** Returns the present head of the log of a session. Throws if the session does not belong to this owner. */
export async function storedHead(own: OwnSession): Promise<Head> {
  await ownListing(own);
  const { head } = (await own.engine.storage.fetch(own.sessionId, 0, 0)) ?? unknownSession(own.sessionId);
  return head;
}

const SHA256 = /\b[0-9a-f]{64}\b/g;

/**
 * The lines of a session's log up to a head, as `exportLog` writes them. If the session is erased meanwhile, lines may be missing:
 * the iteration then ends with an error.
 */
export async function* logUpTo(own: OwnSession, { seq }: Pick<Head, 'seq'>): AsyncGenerator<string> {
  yield* logLines(pagesOf(own), seq);
  await ownListing(own);
}

/**
 * The documents of a session, such as contract revisions: every document whose SHA-256 occurs in an event up to the
 * head. If the session is erased meanwhile, documents may be missing: the iteration then ends with an error.
 */
export async function* documentsUpTo(own: OwnSession, { seq }: Head): AsyncGenerator<StoredDocument> {
  const { engine, sessionId } = own;
  const seen = new Set<string>();
  for await (const { body } of storedEvents(own, 1, seq)) {
    for (const [sha256] of body.matchAll(SHA256)) {
      if (seen.has(sha256)) continue;
      seen.add(sha256);
      const text = await engine.storage.document(sessionId, sha256);
      if (text !== null) yield { sha256, body: text };
    }
  }
  await ownListing(own);
}

/**
 * Erases an exported session, if its log still has the exported head. Records the erasure first. If the log gets an event at the
 * same time, records that the session was not erased.
 *
 * @returns whether the session was erased
 */
export async function eraseExported(
  own: OwnSession,
  { head, exportedTo, checksum, documentsChecksum }: ExportedSession,
): Promise<boolean> {
  const { engine, sessionId } = own;
  const { title } = await ownListing(own);
  const present = await storedHead(own);
  if (present.seq !== head.seq || present.hash !== head.hash) return false;
  const facts = { session_id: sessionId, title, events: head.seq, head_hash: head.hash };
  const exported = { exported_to: exportedTo, checksum, documents_checksum: documentsChecksum };
  await recordErasure(own, retention, { ...facts, ...exported });
  const isErased = await erase(own, engine.storage.delete(sessionId, head));
  const isStored = !isErased && (await engine.storage.find(own.ownerId, sessionId)) !== null;
  if (isStored) await recordNotErased(own, retention, facts);
  return isErased;
}

/** Records the erasure of a session at the request of a person, then erases the session. */
export async function deleteSession(own: OwnSession): Promise<{ deleted: true }> {
  const { engine, sessionId } = own;
  const { title } = await ownListing(own);
  const { seq, hash } = await storedHead(own);
  const who = () => judgedPerson(own, roleForMethod('deleteSession'), 'deleteSession');
  await recordErasure(own, who, { session_id: sessionId, title, events: seq, head_hash: hash });
  await erase(own, engine.storage.delete(sessionId));
  return { deleted: true };
}

/** Waits for the deletion, then ends the requests that wait for the session, in this process and by a hint in others. */
async function erase({ engine, ownerId, sessionId }: OwnSession, deleting: Promise<boolean>): Promise<boolean> {
  const isDeleted = await deleting;
  const report = (error: unknown): void => engine.onCommittedFailure?.(error);
  // The session is deleted by now. A token that stays is erased by the next look for statuses that are due.
  if (isDeleted) await dropTokens(engine, sessionId).catch(report);
  engine.allowances?.recount(ownerId);
  await refreshSession(engine, sessionId).catch(report);
  engine.storage.hint([sessionId]);
  return isDeleted;
}
