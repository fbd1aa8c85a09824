import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Reply } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { NewSeat, Seat } from './scene.ts';

/** Waits for work, at most for the maximum time of a poll. */
export const pollForWork = (host: HostProcess, seat: Seat): Promise<Reply> =>
  ask({ host, seat, route: 'GET state?wait=25' });

/**
 * Waits for messages after the start of the session. A message that is stored before the poll arrives ends the poll
 * too.
 */
export const pollForNews = (host: HostProcess, seat: NewSeat): Promise<Reply> =>
  ask({ host, seat, route: `GET state?wait=25&after=${seat.cursor}` });

/** Resolves when the host holds `count` polls. The last poll may not have read the state yet. */
export async function untilHeld(host: HostProcess, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await host.heldPolls()) < count) {
    if (performance.now() > deadline) throw new Error(`The host never held ${count} polls.`);
    await pause(5);
  }
}
