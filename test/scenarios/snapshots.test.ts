import { createMemoryStorage, createParley, type ParleyOptions, type SnapshotOutcome } from '@parley/core';
import type { Seat } from '@parley/core/client';
import { createTestClock } from '@parley/core/testing';
import type { CallTool, JoinedAgents } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { FOLD_VERSION } from '../../packages/core/src/areas/domain.ts';
import { openDoor } from './support/doors.ts';
import { readEverything } from './support/readings.ts';
import { loadStory, MODERATED } from './support/stories.ts';
import { playIn, type World } from './support/world.ts';

test('a process that begins from a snapshot shows everybody what one shows that folds the whole log', async () => {
  const [storage, clock] = [createMemoryStorage(), createTestClock()];
  const watched = () => {
    const outcomes: SnapshotOutcome[] = [];
    return { outcomes, observer: { snapshotEnded: (outcome: SnapshotOutcome) => void outcomes.push(outcome) } };
  };
  const [ofFirst, ofCold, ofWhole] = [watched(), watched(), watched()];
  const start = async (options: Partial<ParleyOptions>): Promise<World> => {
    const parley = await createParley({ storage, clock, ...options });
    const door = await openDoor('in process', parley);
    onTestFinished(() => parley.close());
    return { parley, owner: parley.owner('team'), door, close: () => parley.close() };
  };

  const first = await start({ snapshots: { every: 20 }, observer: ofFirst.observer });
  const passes: Seat[] = [];
  const redeem = async (code: string): Promise<Seat> => {
    const pass = await first.door.redeem(code);
    passes.push(pass);
    return pass;
  };
  const { sessionId } = await playIn({ ...first, door: { ...first.door, redeem } }, await loadStory(MODERATED));
  // A process that begins from an earlier snapshot than the last one saves a snapshot too.
  const { seq: last } = (await first.parley.owner('team').view(sessionId)).head;
  const savedAt = async () => (await storage.loadSnapshot?.(sessionId, FOLD_VERSION))?.seq ?? 0;
  await expect.poll(async () => last - (await savedAt())).toBeLessThan(20);
  expect(ofFirst.outcomes).toContain('saved');

  const castIn = async ({ door }: World): Promise<JoinedAgents> => {
    const [agent_a, agent_b, moderator] = await Promise.all(passes.map((pass): Promise<CallTool> => door.enter(pass)));
    if (!agent_a || !agent_b || !moderator) throw new Error('Three agents joined.');
    return { sessionId, agents: { agent_a, agent_b }, moderator };
  };
  const cold = await start({ snapshots: { every: 20 }, observer: ofCold.observer });
  const whole = await start({ snapshots: false, observer: ofWhole.observer });
  const seen = await readEverything(cold, await castIn(cold));
  expect(ofCold.outcomes).toEqual(['used']);
  expect(seen).toEqual(await readEverything(whole, await castIn(whole)));
  expect(ofWhole.outcomes).toEqual([]);
});
