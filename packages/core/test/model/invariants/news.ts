import type { LoggedEvent } from '../../../src/kernel/log/event.ts';
import { eventsSince, type World } from '../world.ts';

/**
 * Whether the feed contains an event that the moderator did not cause. Its own events, and the service's events after them in
 * the same append, do not count.
 */
export function hasNews(world: World, events: readonly { readonly id: number }[]): boolean {
  const log = eventsSince(world, 0);
  return events.some(({ id }) => callerOf(log, id) !== 'moderator');
}

const callerOf = (log: readonly LoggedEvent[], id: number): string | undefined =>
  log.findLast(({ seq, actor }) => seq <= id && actor !== 'system')?.actor;
