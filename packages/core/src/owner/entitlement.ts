import { setEntitlement } from '../areas/owner/moderator.ts';
import type { SessionState } from '../areas/state.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { fail, ParleyError } from '../kernel/errors.ts';
import { readInput } from '../kernel/operation/input.ts';
import { OWNER_METHODS, type OwnerMethodOutput, roleForMethod } from './methods.ts';
import { inEachSession, judgedPerson, type OwnerOf, runOwn, sessionsOf } from './own-session.ts';

/**
 * Domain 3. Stores whether the owner allows moderators: appends an event to each session of the owner that has not ended, and to
 * the newest session even if it has ended, because `createSession` copies the value from it. Lists the sessions again until no new
 * session appears.
 *
 * @throws ParleyError INVALID_TRANSITION if the owner has no session in which to store the value
 */
export async function setModeratorEntitlement(
  owner: OwnerOf,
  raw: unknown,
): Promise<OwnerMethodOutput<'setModeratorEntitlement'>> {
  const { entitled } = readInput(OWNER_METHODS.setModeratorEntitlement.input, raw);
  await judgedPerson(owner, roleForMethod('setModeratorEntitlement'), 'setModeratorEntitlement');
  const written = new Set<string>();
  const tried = await inEachSession(
    () => sessionsDue(owner),
    async (sessionId) => {
      if (await writeEntitlement(owner, sessionId, entitled)) written.add(sessionId);
    },
  );
  if (tried === 0)
    fail('INVALID_TRANSITION', 'You have no session in which this setting could be stored.', {
      hint: 'Create a session, then make this call again.',
    });
  return { entitled, sessions: written.size };
}

interface Copied {
  readonly entitled: boolean;
  /** The session from which `entitled` was read. Absent if no session could be read: `entitled` is then true. */
  readonly sessionId?: string;
}

/**
 * Returns whether the owner allows moderators. Reads the value from the owner's newest session that can be read, but not from the
 * session `except`. Without such a session the value is true.
 */
export async function copyEntitlement({ engine, ownerId }: OwnerOf, except?: string): Promise<Copied> {
  for await (const { sessionId } of sessionsOf({ engine, ownerId }, 2)) {
    const state = sessionId === except ? null : await readable(engine, sessionId);
    if (state) return { entitled: state.access.isModeratorEntitled, sessionId };
  }
  return { entitled: true };
}

/** The state of a session; null if the session was deleted or its log is broken. */
async function readable({ sessions }: Engine<SessionState>, sessionId: string): Promise<SessionState | null> {
  return await sessions.load(sessionId).catch((error: unknown) => {
    if (isUnwritable(error)) return null;
    throw error;
  });
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof ParleyError && (error.code === 'UNKNOWN_RECORD' || error.code === 'LOG_BROKEN');

/**
 * Corrects whether moderators are allowed in a new session, if the owner changed this while the session was being
 * created. Reads the value again from the session from which it was copied, because another new session may still have
 * the old value.
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

/**
 * Stores in one session whether the owner allows moderators. Returns false if the session was deleted meanwhile or its log
 * is broken.
 */
async function writeEntitlement(owner: OwnerOf, sessionId: string, entitled: boolean): Promise<boolean> {
  try {
    await runOwn({ ...owner, sessionId }, setEntitlement, { entitled });
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
    // `createSession` copies whether moderators are allowed from the newest session that can be read. So that session
    // must get the new value even if it has ended.
    const isCopied: boolean = isNewest && (await readable(owner.engine, sessionId)) !== null;
    if (status !== 'ENDED' || isCopied) due.push(sessionId);
    if (isCopied) isNewest = false;
  }
  return due;
}
