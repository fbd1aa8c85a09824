import { type ListedSession, mapConcurrent, ParleyError } from '@parley/core';
import type { Log } from '@parley/http-host/program';

const MAX_CONCURRENT = 8;

export interface SweepOptions<T> {
  /** What is searched for, in log lines: `notices`. */
  readonly nouns: string;
  /** The sessions in which something can be due. */
  readonly sessions: () => AsyncIterable<Pick<ListedSession, 'sessionId' | 'status' | 'seq'>>;
  readonly due: (sessionId: string) => Promise<readonly T[]>;
  readonly log: Pick<Log, 'warn'>;
  /**
   * Receives what is due in a session.
   *
   * @param isChanged false if the session had no new event since the last sweep
   */
  readonly take: (sessionId: string, due: readonly T[], isChanged: boolean) => void;
  /** Returns the ids of the sessions with an item that must still be sent or recorded. */
  readonly sessionsToSend: () => readonly string[];
  readonly isOver: () => boolean;
}

/**
 * Returns a function that searches for what is due in `sessions` and in the sessions of `sessionsToSend`. Drafts are
 * skipped, and a paused session is skipped until it has a new event.
 */
export function createSweep<T>(options: SweepOptions<T>): () => Promise<void> {
  /** The number of the last event of each session in the last sweep. */
  let seen: ReadonlyMap<string, number> = new Map();
  return async () => {
    try {
      seen = await sweep(options, seen);
    } catch (error) {
      options.log.warn({ err: error }, `sessions could not be searched for ${options.nouns}`);
    }
  };
}

async function sweep<T>(
  options: SweepOptions<T>,
  seen: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const left = new Set(options.sessionsToSend());
  const waiting: Pick<ListedSession, 'sessionId' | 'status' | 'seq'>[] = [];
  for await (const session of options.sessions()) waiting.push(session);
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
 * Searches one session. Returns false if the session cannot be read, so that the sweep continues with the
 * other sessions.
 */
async function look<T>(
  { nouns, due, log, take, isOver }: SweepOptions<T>,
  sessionId: string,
  isChanged: boolean,
): Promise<boolean> {
  if (isOver()) return false;
  try {
    take(sessionId, await due(sessionId), isChanged);
    return true;
  } catch (error) {
    const isDeleted = error instanceof ParleyError && error.code === 'UNKNOWN_RECORD';
    if (!isDeleted) log.warn({ err: error, session_id: sessionId }, `a session could not be searched for ${nouns}`);
    return false;
  }
}
