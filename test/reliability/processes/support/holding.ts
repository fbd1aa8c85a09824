import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Reply } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { NewSeat, Seat } from './scene.ts';

/** Polls for work with the longest wait that a poll may have. */
export const pollForWork = (host: HostProcess, seat: Seat): Promise<Reply> =>
  ask({ host, seat, route: 'GET state?wait=25' });

/** Polls for events after the start of the session, also those stored before the poll arrives. */
export const pollForNews = (host: HostProcess, seat: NewSeat): Promise<Reply> =>
  ask({ host, seat, route: `GET state?wait=25&after=${seat.cursor}` });

/** Resolves when the host holds this many polls; the last of them may not have read the state yet. */
export async function untilHeld(host: HostProcess, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await host.heldPolls()) < count) {
    if (performance.now() > deadline) throw new Error(`The host never held ${count} polls.`);
    await pause(5);
  }
}
