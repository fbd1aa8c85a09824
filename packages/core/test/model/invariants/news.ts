import type { LoggedEvent } from '../../../src/kernel/log/event.ts';
import { eventsSince, type World } from '../world.ts';

/** Whether the moderator's feed contains an event that a call of another role caused. */
export function hasNews(world: World, events: readonly { readonly id: number }[]): boolean {
  const log = eventsSince(world, 0);
  return events.some(({ id }) => callerOf(log, id) !== 'moderator');
}

const callerOf = (log: readonly LoggedEvent[], id: number): string | undefined =>
  log.findLast(({ seq, actor }) => seq <= id && actor !== 'system')?.actor;
