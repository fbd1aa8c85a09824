import type { z } from 'zod';
import { type SessionGlance, viewGlance, viewUnreadable } from '../areas/owner/overview.ts';
import { inboxPlaceOf } from '../areas/session/owner-waits/owner-waits.ts';
import { presenceOf } from '../kernel/engine/replies.ts';
import { ParleyError } from '../kernel/errors.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';
import type { ListedSession } from '../kernel/storage/listing.ts';
import type { InboxNote } from '../kernel/storage/stored-inbox.ts';
import { type OwnerOf, standingsOf } from './own-session.ts';

/** Maximum number of sessions that are read at the same time. */
const MAX_CONCURRENT = 8;

export interface Glanced<Listed extends ListedSession> {
  readonly listed: Listed;
  readonly glance: z.output<typeof SessionGlance>;
  /** The place in the inbox, computed from the folded state. Absent if the log cannot be folded. */
  readonly note?: InboxNote;
  readonly isBroken: boolean;
}

/** Whose sessions are folded. `approvers` matters only for the texts of the tasks, not for places in the inbox. */
export type Looking = Pick<OwnerOf, 'engine' | 'approvers'>;

/**
 * Folds the sessions of a list, in its order. Leaves out sessions that were deleted meanwhile. If a log cannot be
 * folded, the `glance` of its session contains the error.
 *
 * @param isWhole whether the tasks quote as much of an agent's text as the operation `view` does; if false, they quote
 *   its first 200 characters
 */
export async function glancesAt<Listed extends ListedSession>(
  { engine, approvers }: Looking,
  listing: readonly Listed[],
  isWhole: boolean,
): Promise<readonly Glanced<Listed>[]> {
  const calls = await engine.presence.ofAll(listing.map(({ sessionId }) => sessionId));
  const standing = standingsOf({ approvers });
  const glances = await mapConcurrent(MAX_CONCURRENT, listing, async (listed) => {
    const { sessionId } = listed;
    try {
      const state = await engine.sessions.load(sessionId);
      if (!state) return [];
      const presence = presenceOf(engine, calls.get(sessionId) ?? {});
      const note = { sessionId, head: state.head, place: inboxPlaceOf(state, presence) };
      return [{ listed, glance: viewGlance(await standing(state), presence, isWhole), note, isBroken: false }];
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      return [{ listed, glance: viewUnreadable(listed, error), isBroken: error.code === 'LOG_BROKEN' }];
    }
  });
  return glances.flat();
}
