import { type Head, readEvent } from '../../kernel/log/event.ts';
import type { PersonRef } from '../../kernel/person.ts';
import type { OwnerEventPosition } from '../../kernel/storage/owner-events.ts';
import type { StoredDocument } from '../../kernel/storage/storage.ts';
import { logLines, storedEvents } from '../../kernel/storage/stored-log.ts';
import { refreshSession } from '../../kernel/waiting/wake-ups.ts';
import { dropTokens } from '../forge-tokens.ts';
import { roleForMethod } from '../methods.ts';
import { judgedPerson, type OwnerOf, type OwnSession, ownListing, ownState, unknownSession } from '../own-session.ts';
import { recordErasure, recordNotErased } from './erasures.ts';

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

const SESSIONS_PER_PAGE = 200;

/** The name that events give instead of a person if a session was erased because of the retention settings. */
const retention = async (): Promise<PersonRef> => ({ id: 'parley:retention', name: 'Retention' });

/** The sessions of an owner that ended before a time (ISO 8601 UTC), oldest first. Folds no session. */
export async function* endedSessions({ engine, ownerId }: OwnerOf, before: string): AsyncGenerator<EndedSession> {
  const ended = { order: 'oldest', limit: SESSIONS_PER_PAGE, kind: 'session.ended', to: before } as const;
  for (let after: OwnerEventPosition | undefined; ; ) {
    const page = await engine.storage.ownerEvents([ownerId], { ...ended, after });
    for (const stored of page) {
      const { sessionId, title, seq } = stored;
      const { at } = readEvent(stored);
      after = { at, sessionId, seq };
      yield { sessionId, title, endedAt: at };
    }
    if (page.length === 0) return;
  }
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
export async function* logUpTo(own: OwnSession, { seq }: Head): AsyncGenerator<string> {
  yield* logLines(own, seq);
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
