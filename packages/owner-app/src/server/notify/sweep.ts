import { type Notice, type Owner, ParleyError } from '@parley/core';
import type { Log } from '@parley/http-host/program';

const PAGE = 200;

export interface SweepOptions {
  readonly owner: Pick<Owner, 'listSessions' | 'dueNotices'>;
  readonly log: Pick<Log, 'warn'>;
  readonly take: (sessionId: string, due: readonly Notice[]) => void;
  readonly isOver: () => boolean;
}

/**
 * Returns a function that searches for due notices in every session that has changed since its last call. It does not matter
 * which process has changed a session.
 */
export function createSweep(options: SweepOptions): () => Promise<void> {
  /** Number of the last event of each session, as of the last call. */
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
  for (let after: string | null | undefined; after !== null && !options.isOver(); ) {
    const page = await options.owner.listSessions(after === undefined ? { limit: PAGE } : { limit: PAGE, after });
    for (const { session_id, status, events } of page.sessions) {
      const isQuiet = status === 'DRAFT' || status === 'ENDED' || seen.get(session_id) === events;
      if (isQuiet || (await look(options, session_id))) found.set(session_id, events);
    }
    after = page.next_after;
  }
  return found;
}

/** Searches one session. Returns false if it could not be read; the search goes on with the other sessions. */
async function look({ owner, log, take, isOver }: SweepOptions, sessionId: string): Promise<boolean> {
  if (isOver()) return false;
  try {
    take(sessionId, await owner.dueNotices(sessionId));
    return true;
  } catch (error) {
    const isDeleted = error instanceof ParleyError && error.code === 'UNKNOWN_RECORD';
    if (!isDeleted) log.warn({ err: error, session_id: sessionId }, 'a session could not be searched for notices');
    return false;
  }
}
