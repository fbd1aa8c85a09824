import type { HostProcess } from './process.ts';
import type { World } from './world.ts';

/**
 * Sends a hint about changed sessions to the other hosts. Faults may lose or double hints, and a hint may overtake
 * another.
 */
export function sendHints(world: World, from: HostProcess, sessionIds: readonly string[]): void {
  for (const { process } of world.hosts) {
    if (!process || process === from || world.faults.fires('hintLost')) continue;
    deliver(world, process, sessionIds);
    if (world.faults.fires('hintDoubled')) deliver(world, process, sessionIds);
  }
}

function deliver({ timeline, prng }: World, process: HostProcess, sessionIds: readonly string[]): void {
  const arrival = prng.between(0.2, prng.chance(0.2) ? 80 : 8);
  timeline.after(arrival, () => {
    if (!process.isAlive) return;
    for (const sessionId of sessionIds) process.wake(sessionId, timeline.now());
    process.hear(sessionIds);
  });
}
