import { loadMission, type Mission } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { openMemory } from './support/stores.ts';
import { createVirtualClock } from './support/virtual-clock.ts';
import { openWorld, playIn } from './support/world.ts';

const HELD_MS = 25_000;

async function memoryWorld() {
  const clock = createVirtualClock();
  const world = await openWorld(await openMemory(), 'in process', clock);
  onTestFinished(() => world.close());
  return { world, clock };
}

async function missionOf(...discussion: Mission['discussion']): Promise<Mission> {
  return { ...(await loadMission('payment-capture')), discussion, contract: [], readiness: [], verification: [] };
}

test('runMission posts no turn that is not granted, and says whose it is', async () => {
  const { world, clock } = await memoryWorld();
  const mission = await missionOf({ by: 'agent_b', call: 'post_turn', input: { summary: 'Too early.' } });
  const playing = playIn(world, mission);
  const refused = expect(playing).rejects.toThrow(
    'agent_b should post a turn, but the session is ACTIVE and turn 0 belongs to agent_a.',
  );
  await clock.pending(HELD_MS, 1);
  clock.advance(HELD_MS);
  await refused;
});

test('runMission waits during a pause and continues when the owner resumes', async () => {
  const { world, clock } = await memoryWorld();
  const mission = await missionOf(
    { by: 'owner', call: 'pause', input: { reason: 'Lunch.' } },
    { by: 'agent_a', call: 'post_turn', input: { summary: 'After lunch.' } },
  );
  const taken: string[] = [];
  let sessionId = '';
  const playing = playIn(world, mission, ({ step, ...played }) => {
    taken.push(step.call);
    sessionId = played.sessionId;
  });
  for (const _poll of [1, 2, 3]) {
    await clock.pending(HELD_MS, 1);
    clock.advance(HELD_MS);
  }
  await clock.pending(HELD_MS, 1);
  expect(taken).toEqual(['pause']);
  await world.owner.call('resume', sessionId, {});
  await playing;
  expect(taken).toEqual(['pause', 'post_turn']);
});

test('runMission takes no further step before onStep has finished', async () => {
  const { world } = await memoryWorld();
  const mission = await missionOf(
    { by: 'agent_a', call: 'post_turn', input: { summary: 'One.' } },
    { by: 'agent_b', call: 'post_turn', input: { summary: 'Two.' } },
  );
  const turnsSeen: unknown[] = [];
  await playIn(world, mission, async ({ sessionId }) => {
    const { messages } = await world.owner.call('transcript', sessionId, {});
    turnsSeen.push(Array.isArray(messages) && messages.filter(({ kind }) => kind === 'turn.posted').length);
  });
  expect(turnsSeen).toEqual([1, 2]);
});
