import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Reply } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { NewSeat, Seat } from './scene.ts';

/** Waits for work, as long as one poll may. */
export const pollForWork = (host: HostProcess, seat: Seat): Promise<Reply> =>
  ask({ host, seat, route: 'GET state?wait=25' });

/** Waits for what comes after the session began, also when that comes before the poll is looked at first. */
export const pollForNews = (host: HostProcess, seat: NewSeat): Promise<Reply> =>
  ask({ host, seat, route: `GET state?wait=25&after=${seat.cursor}` });

/** Resolves when the host has let in so many polls; the last may be on their first look. */
export async function untilHeld(host: HostProcess, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await host.heldPolls()) < count) {
    if (performance.now() > deadline) throw new Error(`The host never held ${count} polls.`);
    await pause(5);
  }
}
