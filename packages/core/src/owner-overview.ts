import { z } from 'zod';
import { type SessionGlance, viewGlance, viewUnreadable } from './areas/owner/overview.ts';
import type { SessionState } from './areas/state.ts';
import type { Engine } from './kernel/engine.ts';
import { ParleyError } from './kernel/errors.ts';
import { validateInput } from './kernel/input.ts';
import { publishedSchema } from './kernel/json-schema.ts';
import { plainJson } from './kernel/json-text.ts';
import { inLanes } from './kernel/lanes.ts';
import type { ListedSession } from './kernel/storage.ts';

export const OverviewInput = z.strictObject({
  limit: z.int().min(1).max(100).optional().describe('Sessions a page; 50 when left out.'),
  after: z.string().max(60).optional().describe('The last session_id of the page before.'),
});

/** Sessions at a glance, newest first: whose move it is, and what waits for the owner. */
export interface Overview extends Readonly<Record<string, unknown>> {
  readonly sessions: readonly z.output<typeof SessionGlance>[];
  /** What to send as `after` for the next page; null on the last. */
  readonly next_after: string | null;
}

/** Sessions read at a time. */
const LANES = 8;

export async function overviewOf(engine: Engine<SessionState>, ownerId: string, raw: unknown): Promise<Overview> {
  const { limit = 50, after } = validateInput(OverviewInput, publishedSchema(OverviewInput), plainJson(raw ?? {}));
  const page = await engine.storage.list(ownerId, after === undefined ? { limit } : { limit, after });
  const glances = await inLanes(LANES, page, (listed) => glanceAt(engine, listed));
  return {
    sessions: glances.flatMap((glance) => glance ?? []),
    next_after: page.length === limit ? (page.at(-1)?.sessionId ?? null) : null,
  };
}

/** Null for a session that was deleted meanwhile. A session that cannot be folded hides no other one. */
async function glanceAt({ sessions }: Engine<SessionState>, listed: ListedSession) {
  try {
    const state = await sessions.load(listed.sessionId);
    return state && viewGlance(state);
  } catch (error) {
    if (error instanceof ParleyError) return viewUnreadable(listed, error);
    throw error;
  }
}
