import { type ListedSession, mapConcurrent, type Notice, type Owner, ParleyError } from '@parley/core';
import type { Log } from '@parley/http-host/program';

const MAX_CONCURRENT = 8;

export interface SweepOptions {
  readonly owner: Pick<Owner, 'waitingSessions' | 'dueNotices'>;
  readonly log: Pick<Log, 'warn'>;
  /**
   * Receives the notices of a session.
   *
   * @param isChanged false if the session had no new event since the last sweep
   */
  readonly take: (sessionId: string, due: readonly Notice[], isChanged: boolean) => void;
  /** Returns the ids of the sessions with a notice that must still be sent or recorded. */
  readonly sessionsToSend: () => readonly string[];
  readonly isOver: () => boolean;
}

/**
 * Returns a function that searches for notices in sessions with a task for the owner, and in the sessions of
 * `sessionsToSend`. Drafts are skipped, and a paused session is skipped until it has a new event.
 */
export function createSweep(options: SweepOptions): () => Promise<void> {
  /** The number of the last event of each session in the last sweep. */
  let seen: ReadonlyMap<string, number> = new Map();
  return async () => {
    try {
      seen = await sweep(options, seen);
    } catch (error) {
      options.log.warn({ err: error }, 'sessions could not be searched for notices');
    }
  };
}

async function sweep(options: SweepOptions, seen: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const left = new Set(options.sessionsToSend());
  const waiting: ListedSession[] = [];
  for await (const session of options.owner.waitingSessions()) waiting.push(session);
  await mapConcurrent(MAX_CONCURRENT, waiting, async ({ sessionId, status, seq }) => {
    left.delete(sessionId);
    const isChanged = seen.get(sessionId) !== seq;
    const isQuiet = status === 'DRAFT' || (status !== 'ACTIVE' && !isChanged);
    if (isQuiet || (await look(options, sessionId, isChanged))) found.set(sessionId, seq);
  });
  await mapConcurrent(MAX_CONCURRENT, [...left], (sessionId) => look(options, sessionId, true));
  return found;
}

/**
 * Searches one session for notices. Returns false if the session cannot be read, so that the sweep continues with the
 * other sessions.
 */
async function look(
  { owner, log, take, isOver }: SweepOptions,
  sessionId: string,
  isChanged: boolean,
): Promise<boolean> {
  if (isOver()) return false;
  try {
    take(sessionId, await owner.dueNotices(sessionId), isChanged);
    return true;
  } catch (error) {
    const isDeleted = error instanceof ParleyError && error.code === 'UNKNOWN_RECORD';
    if (!isDeleted) log.warn({ err: error, session_id: sessionId }, 'a session could not be searched for notices');
    return false;
  }
}
