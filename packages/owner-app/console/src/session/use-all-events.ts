import { useEffect } from 'preact/hooks';
import type { LiveSession } from '../state/live-session.ts';

/**
 * Reads all events of a session if `areNeeded` is true. Reads them again after the connection was lost.
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
