import { type Builder, loadMission, MISSION_NAMES, playFreely, readOutcome } from '@parley/missions';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DoorKind } from './stage/doors.ts';
import { openMemory } from './stage/stores.ts';
import { openWorld } from './stage/world.ts';

const ORDERS = [
  ['agent_a', 'agent_b', 'owner'],
  ['agent_b', 'agent_a', 'owner'],
  ['owner', 'agent_b', 'agent_a'],
] as const;

describe.each(MISSION_NAMES)('bots that do only what they are told, on the material of %s', (name) => {
  test.each(ORDERS)('reach BEGIN_BUILD without a refused call when %s acts first, then %s', async (...order) => {
    const { calls, refused, outcomes } = await playByInstruction(name, 'in process', order);
    expect(refused).toEqual([]);
    expect(calls.length).toBeLessThan(400);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ phase: 'VERIFY', build_authorized: true, begin_build: true });
    }
  });

  test('make the same calls over REST and over MCP as in process', async () => {
    const inProcess = await playByInstruction(name, 'in process', ORDERS[0]);
    expect(await playByInstruction(name, 'REST', ORDERS[0])).toEqual(inProcess);
    expect(await playByInstruction(name, 'MCP', ORDERS[0])).toEqual(inProcess);
  });
});

test('the bots are sent through every way of mending that a contract knows', async () => {
  const plays = await Promise.all(MISSION_NAMES.map((name) => playByInstruction(name, 'in process', ORDERS[0])));
  const calls = plays.flatMap((play) => play.calls);
  const mending = ['patch_contract', 'submit_finding', 'respond_finding', 'resolve_finding', 'requestChanges'];
  expect(mending.filter((tool) => !calls.some((call) => call.endsWith(` ${tool}`)))).toEqual([]);
  const { revision } = plays.map(({ outcomes: [outcome] }) => outcome)[1] ?? {};
  expect(revision).toMatchObject({ revision_id: 'r_3', status: 'APPROVED' });
});

async function playByInstruction(
  name: (typeof MISSION_NAMES)[number],
  doorKind: DoorKind,
  order: readonly (Builder | 'owner')[],
) {
  const world = await openWorld(await openMemory(), doorKind);
  onTestFinished(() => world.close());
  const calls: string[] = [];
  const refused: string[] = [];
  const { agents } = await playFreely(
    await loadMission(name),
    {
      owner: world.owner,
      async agents({ role, code }) {
        const face = await world.door.enter(await world.door.redeem(code));
        return (tool, input) =>
          face(tool, input).catch((error: unknown) => {
            refused.push(`${role} ${tool}: ${error}`);
            throw error;
          });
      },
    },
    { order, onCall: ({ by, tool }) => void calls.push(`${by} ${tool}`) },
  );
  return { calls, refused, outcomes: [await readOutcome(agents.agent_a), await readOutcome(agents.agent_b)] };
}
