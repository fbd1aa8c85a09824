import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Reply } from './ask.ts';
import type { HostProcess } from './host-process.ts';
import type { Seat } from './scene.ts';

/** Waits for the agent's turn or news, as long as one poll may. */
export const poll = (host: HostProcess, seat: Seat): Promise<Reply> => ask({ host, seat, route: 'GET state?wait=25' });

/** Resolves when the host holds so many polls. */
export async function untilHeld(host: HostProcess, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await host.heldPolls()) < count) {
    if (performance.now() > deadline) throw new Error(`The host never held ${count} polls.`);
    await pause(5);
  }
}
