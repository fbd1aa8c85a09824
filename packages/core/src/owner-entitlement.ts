import { setEntitlement } from './areas/owner/set-entitlement.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine/engine.ts';
import { fail, ParleyError } from './kernel/errors.ts';
import { mapConcurrent } from './kernel/map-concurrent.ts';
import type { ListedSession } from './kernel/storage/storage.ts';
import { identifyOwner, unknownSession } from './own-session.ts';
import { type Entitlement, OWNER_METHODS, readInput } from './owner-methods.ts';

/** One owner, as the storage knows it. */
interface OwnerOf {
  readonly engine: Engine<SessionState>;
  readonly ownerId: string;
}

const PAGE = 200;
/** Sessions written at a time. */
const MAX_CONCURRENT = 8;

/**
 * Domain 3: one event in each of the owner's sessions that is not ENDED, newest first, and in the newest in any case:
 * that is what createSession copies. Sessions stored meanwhile are looked for until none is new; whoever stores a later
 * one finds the entitlement written where it copied it.
 *
 * @throws ParleyError INVALID_TRANSITION for an owner without sessions, who has nothing to keep it in
 */
export async function setModeratorEntitlement(owner: OwnerOf, raw: unknown): Promise<Entitlement> {
  const { entitled } = readInput(OWNER_METHODS.setModeratorEntitlement.input, raw);
  const written = new Set<string>();
  for (const tried = new Set<string>(); ; ) {
    const due = (await sessionsDue(owner)).filter((id) => !tried.has(id));
    if (due.length === 0 && tried.size === 0)
      fail('INVALID_TRANSITION', 'The entitlement is kept in your sessions, and you have none: create one first.');
    if (due.length === 0) return { entitled, sessions: written.size };
    await mapConcurrent(MAX_CONCURRENT, due, async (sessionId) => {
      tried.add(sessionId);
      if (await writeEntitlement(owner, sessionId, entitled)) written.add(sessionId);
    });
  }
}

/** Whether an owner has moderators, and the session that says so. */
interface Copied {
  readonly entitled: boolean;
  /** Left out for an owner without another session. */
  readonly sessionId?: string;
}

/** What the owner's newest readable session says, leaving out one; true for an owner without any. */
export async function copyEntitlement({ engine, ownerId }: OwnerOf, except?: string): Promise<Copied> {
  for await (const { sessionId } of sessionsOf({ engine, ownerId }, 2)) {
    const state = sessionId === except ? null : await readable(engine, sessionId);
    if (state) return { entitled: state.access.isModeratorEntitled, sessionId };
  }
  return { entitled: true };
}

/** Null for a session that is gone, and for one whose log is broken: nothing can be read from it or written to it. */
async function readable({ sessions }: Engine<SessionState>, sessionId: string): Promise<SessionState | null> {
  return await sessions.load(sessionId).catch((error: unknown) => {
    if (isUnwritable(error)) return null;
    throw error;
  });
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof ParleyError && (error.code === 'UNKNOWN_RECORD' || error.code === 'LOG_BROKEN');

/**
 * Brings a new session in step with what was set since it was copied: that may have been written to all sessions but
 * this one. The session it was copied from is asked: another new one may be as old as this.
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

/** Writes it to one session. A session that was deleted meanwhile, or whose log is broken, needs it no more. */
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
    // The newest readable session is the one that createSession copies.
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
