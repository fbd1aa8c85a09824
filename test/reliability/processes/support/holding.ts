import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Reply } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { NewSeat, Seat } from './scene.ts';

/** Starts a poll for work that waits as long as a poll may. */
export const pollForWork = (host: HostProcess, seat: Seat): Promise<Reply> =>
  ask({ host, seat, route: 'GET state?wait=25' });

/** Starts a poll for messages after the start of the session. A message that is stored before the poll arrives ends it too. */
export const pollForNews = (host: HostProcess, seat: NewSeat): Promise<Reply> =>
  ask({ host, seat, route: `GET state?wait=25&after=${seat.cursor}` });

/** Resolves when the host holds this many polls. The last one may not have read the state yet. */
export async function untilHeld(host: HostProcess, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await host.heldPolls()) < count) {
    if (performance.now() > deadline) throw new Error(`The host never held ${count} polls.`);
    await pause(5);
  }
}
