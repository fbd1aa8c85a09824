import type { Presence } from '../../../kernel/last-calls.ts';
import type { InboxPlace } from '../../../kernel/storage/stored-inbox.ts';
import type { SessionState } from '../../state.ts';
import { absentFromMs, absentFromMsAtLeast } from './absence.ts';
import type { OwnerWait } from './owner-wait.ts';
import { waitsToSettle } from './owner-waits.ts';

/**
 * The place of a session in its owner's inbox, from the log and the agents' last calls. Null if the session has ended.
 */
export const inboxPlaceOf = (state: SessionState, presence: Presence): InboxPlace | null =>
  placeOf(state, () => absentFromMs(state, presence));

/**
 * The place that an append stores. It is computed from the log alone, so an ACTIVE session without tasks gets the
 * earliest time that `inboxPlaceOf` can return.
 */
export const inboxPlaceByLog = (state: SessionState, silentAfterMs: number): InboxPlace | null =>
  placeOf(state, () => absentFromMsAtLeast(state, silentAfterMs));

function placeOf(state: SessionState, absentMs: () => number): InboxPlace | null {
  const { status } = state.profile;
  if (status === 'ENDED') return null;
  const { first, last } = waitsToSettle(state);
  const tasks = [...first, ...last];
  if (status !== 'ACTIVE') return { rank: 3, at: oldestOf(tasks), tasks: tasks.length };
  if (tasks.length === 0) return { rank: 4, at: new Date(absentMs()).toISOString(), tasks: 0 };
  const blocking = tasks.filter((task) => task.blocking);
  if (blocking.length > 0) return { rank: 1, at: oldestOf(blocking), tasks: tasks.length };
  return { rank: 2, at: oldestOf(tasks), tasks: tasks.length };
}

const oldestOf = (tasks: readonly OwnerWait[]): string => tasks.map(({ since }) => since).toSorted()[0] ?? '';
