import type { World } from '../world/world.ts';
import { callTool } from './calls.ts';
import { nextMarker, type SimulatedSession } from './session.ts';

type Blow = (world: World, session: SimulatedSession) => unknown;

const HOUR_MS = 3_600_000;

/** Faults that happen at planned times. */
const BLOWS = {
  crash(world) {
    world.prng.pick(world.hosts).process?.crash();
  },
  clockJump({ prng, hosts }) {
    const reach = prng.chance(0.2) ? 25 * HOUR_MS : HOUR_MS / 4;
    prng.pick(hosts).clockOffset += prng.between(-reach, reach);
  },
  rollback({ prng, store, trace }, { sessionId }) {
    const lost = store.rollback(sessionId, 1 + prng.below(4));
    trace.say(`store: a standby takes over, ${lost} events are lost`);
  },
  async casStorm(world, { seats }) {
    const writes = Array.from({ length: 4 + world.prng.below(5) }, () => {
      const marker = nextMarker(world);
      const input = { topic: `Topic ${marker}`, position: `Storm «${marker}»` };
      return callTool(world, world.prng.pick(seats.slice(0, 2)), { name: 'submit_decision', input, marker });
    });
    await Promise.all(writes);
  },
} satisfies Record<string, Blow>;

type BlowName = keyof typeof BLOWS;

const NAMES: readonly BlowName[] = ['crash', 'clockJump', 'rollback', 'casStorm'];

/** Plans one to three faults of each enabled kind at random times. */
export function plan(world: World, session: SimulatedSession, lengthMs: number): void {
  const { faults, prng, timeline, trace } = world;
  for (const name of NAMES.filter((kind) => faults.isOn(kind))) {
    for (let left = 1 + prng.below(3); left > 0; left -= 1) {
      timeline.after(prng.between(0, lengthMs), () => {
        faults.count(name);
        trace.say(`fault: ${name}`);
        const strike: Blow = BLOWS[name];
        strike(world, session);
      });
    }
  }
}
