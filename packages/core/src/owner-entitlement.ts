import { setEntitlement } from './areas/owner/set-entitlement.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine/engine.ts';
import { fail, ParleyError } from './kernel/errors.ts';
import { mapConcurrent } from './kernel/map-concurrent.ts';
import type { ListedSession } from './kernel/storage/storage.ts';
import { identifyOwner, unknownSession } from './own-session.ts';
import { type Entitlement, OWNER_METHODS, readInput } from './owner-methods.ts';

/** One owner. The storage keeps the owner's sessions under `ownerId`. */
interface OwnerOf {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
}

const PAGE = 200;
/** Number of sessions written at the same time. */
const MAX_CONCURRENT = 8;

/**
 * Domain 3. Stores one event in each of the owner's sessions that has not ended, newest first. Also stores it in the newest
 * session if that has ended, because createSession copies the entitlement from the newest session. Then lists the sessions
 * again, until no new session appears: a session created later copies the new value.
 *
 * @throws ParleyError INVALID_TRANSITION if the owner has no session in which to store the entitlement
 */
export async function setModeratorEntitlement(owner: OwnerOf, raw: unknown): Promise<Entitlement> {
  const { entitled } = readInput(OWNER_METHODS.setModeratorEntitlement.input, raw);
  const written = new Set<string>();
  for (const tried = new Set<string>(); ; ) {
    const due = (await sessionsDue(owner)).filter((id) => !tried.has(id));
    if (due.length === 0 && tried.size === 0)
      fail('INVALID_TRANSITION', 'The entitlement is stored in your sessions, and you have none: create one first.');
    if (due.length === 0) return { entitled, sessions: written.size };
    await mapConcurrent(MAX_CONCURRENT, due, async (sessionId) => {
      tried.add(sessionId);
      if (await writeEntitlement(owner, sessionId, entitled)) written.add(sessionId);
    });
  }
}

/** Whether an owner admits moderators, and the session from whose state this was read. */
interface Copied {
  readonly entitled: boolean;
  /** Absent if the owner has no other session. */
  readonly sessionId?: string;
}

/**
 * Reads the entitlement from the owner's newest readable session, leaving out the session `except`. True for an owner without
 * sessions.
 */
export async function copyEntitlement({ engine, ownerId }: OwnerOf, except?: string): Promise<Copied> {
  for await (const { sessionId } of sessionsOf({ engine, ownerId }, 2)) {
    const state = sessionId === except ? null : await readable(engine, sessionId);
    if (state) return { entitled: state.access.isModeratorEntitled, sessionId };
  }
  return { entitled: true };
}

/**
 * The state of a session. Null for a deleted session, and for a session with a broken log; such a session can be neither read
 * nor written.
 */
async function readable({ sessions }: Engine<SessionState>, sessionId: string): Promise<SessionState | null> {
  return await sessions.load(sessionId).catch((error: unknown) => {
    if (isUnwritable(error)) return null;
    throw error;
  });
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof ParleyError && (error.code === 'UNKNOWN_RECORD' || error.code === 'LOG_BROKEN');

/**
 * Corrects the entitlement of a new session, if it was changed while the new session was created. Reads the value again from
 * the session from which the new one copied it, because other new sessions may be outdated too.
 */
export async function followEntitlement(owner: OwnerOf, sessionId: string, copied: Copied): Promise<void> {
  for (let known = copied; ; ) {
    const present = await lookAgain(owner, known, sessionId);
    if (present.entitled === known.entitled) return;
    await writeEntitlement(owner, sessionId, present.entitled);
    known = present;
  }
}

async function lookAgain(owner: OwnerOf, { sessionId }: Copied, except: string): Promise<Copied> {
  const state = sessionId === undefined ? null : await readable(owner.engine, sessionId);
  if (sessionId === undefined || !state) return await copyEntitlement(owner, except);
  return { entitled: state.access.isModeratorEntitled, sessionId };
}

/** Stores the entitlement in one session. Returns false if the session was deleted meanwhile or its log is broken. */
async function writeEntitlement({ engine, ownerId }: OwnerOf, sessionId: string, entitled: boolean): Promise<boolean> {
  const identify = identifyOwner(ownerId, sessionId);
  const absent = () => unknownSession(sessionId);
  const input = { entitled };
  try {
    await engine.run({ operation: setEntitlement, sessionId, identify, absent, holder: ownerId, input });
    return true;
  } catch (error) {
    if (isUnwritable(error)) return false;
    throw error;
  }
}

async function sessionsDue(owner: OwnerOf): Promise<string[]> {
  const due: string[] = [];
  let isNewest = true;
  for await (const { sessionId, status } of sessionsOf(owner)) {
    // createSession copies the entitlement from the newest readable session, so that session must have it even if it has ended.
    const isCopied: boolean = isNewest && (await readable(owner.engine, sessionId)) !== null;
    if (status !== 'ENDED' || isCopied) due.push(sessionId);
    if (isCopied) isNewest = false;
  }
  return due;
}

/** All sessions of an owner, newest first. */
async function* sessionsOf({ engine, ownerId }: OwnerOf, limit = PAGE): AsyncGenerator<ListedSession> {
  for (let after: string | undefined; ; ) {
    const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
    yield* page;
    after = page.at(-1)?.sessionId;
    if (page.length < limit || after === undefined) return;
  }
}
