import { viewGlance, viewUnreadable } from './areas/owner/overview.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine/engine.ts';
import { ParleyError } from './kernel/errors.ts';
import { mapConcurrent } from './kernel/map-concurrent.ts';
import type { ListedSession } from './kernel/storage/storage.ts';
import { type Overview, OWNER_METHODS, readInput } from './owner-methods.ts';

/** Number of sessions read at the same time. */
const MAX_CONCURRENT = 8;

export async function overviewOf(engine: Engine<SessionState>, ownerId: string, raw: unknown): Promise<Overview> {
  const { limit = 50, after } = readInput(OWNER_METHODS.overview.input, raw);
  const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
  const glances = await mapConcurrent(MAX_CONCURRENT, page, (listed) => glanceAt(engine, listed));
  return {
    sessions: glances.flatMap((glance) => glance ?? []),
    next_after: page.length === limit ? (page.at(-1)?.sessionId ?? null) : null,
  };
}

/**
 * Reads one session for the overview. Null if the session was deleted meanwhile. If its log cannot be folded, the entry
 * contains the fault.
 */
async function glanceAt({ sessions }: Engine<SessionState>, listed: ListedSession) {
  try {
    const state = await sessions.load(listed.sessionId);
    return state && viewGlance(state);
  } catch (error) {
    if (error instanceof ParleyError) return viewUnreadable(listed, error);
    throw error;
  }
}
