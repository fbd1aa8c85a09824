import { expect, onTestFinished, test } from 'vitest';
import { openMemory } from './support/stores.ts';
import { gatherIn, openWorld } from './support/world.ts';

test('a poll without news over REST is held for 25 seconds of real time', async () => {
  const world = await openWorld(await openMemory(), 'REST');
  onTestFinished(() => world.close());
  const { agents } = await gatherIn(world);
  const start = performance.now();
  const state = await agents.agent_b('wait_for_my_turn', { wait: 25 });
  const seconds = (performance.now() - start) / 1000;
  expect(state).toMatchObject({ timed_out: true, your_turn: false });
  expect(seconds).toBeGreaterThan(24.9);
  // The poll ends after 25 s. 15 s more are for a busy machine. The client itself stops waiting after 60 s.
  expect(seconds).toBeLessThan(40);
});
