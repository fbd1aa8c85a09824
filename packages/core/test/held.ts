import { setImmediate } from 'node:timers/promises';
import type { OpenedSession } from '../src/testing/index.ts';

/** Lets pending work run. Then fails unless exactly `count` polls are held. */
export async function held({ parley }: Pick<OpenedSession, 'parley'>, count = 1): Promise<void> {
  for (let round = 0; round < 20; round += 1) await setImmediate();
  if (parley.heldPolls() !== count) throw new Error(`${parley.heldPolls()} polls are held instead of ${count}.`);
}
