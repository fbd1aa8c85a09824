import { useEffect } from 'preact/hooks';
import type { LiveSession } from '../state/live-session.ts';

/**
 * Reads all events of a session if `areNeeded` is true. If some are still missing when the state of the connection
 * changes, tries again.
 *
 * @returns whether the page has all events
 */
export function useAllEvents(live: LiveSession, areNeeded = true): boolean {
  const hasEarlier = live.hasEarlier.value;
  const connection = live.connection.value;
  useEffect(() => {
    if (hasEarlier && areNeeded) void live.readEarlier('all');
  }, [live, hasEarlier, areNeeded, connection]);
  return !hasEarlier;
}
