import { setTimeout } from 'node:timers/promises';
import { seenIn } from '@parley/core/testing';
import { loadMission, type Mission, PARTS, type Step } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMemory } from '../support/stores.ts';
import { openWorld, overMcp, playIn, type World } from '../support/world.ts';

/** The mission payment-capture up to the first call of this name. */
async function before(name: string): Promise<Mission> {
  const mission = await loadMission('payment-capture');
  let isOver = false;
  const isKept = ({ call }: Step): boolean => {
    isOver ||= call === name;
    return !isOver;
  };
  return { ...mission, ...Object.fromEntries(PARTS.map((part) => [part, mission[part].filter(isKept)])) };
}

test('a rejected finding waits for the owner from the next other call of its raiser until the raiser withdraws it', async () => {
  const world = await openWorld(await openMemory(), 'in process');
  const { sessionId, agents } = await playIn(world, await before('submit_final_review'));
  const owner = world.parley.owner('scenario-team');
  const disputes = async () => (await owner.view(sessionId)).waits.filter(({ kind }) => kind === 'DISPUTE');
  await agents.agent_a('submit_finding', { text: 'No limit of the retries is named.' });
  const finding_id = (await owner.view(sessionId)).findings.at(-1)?.finding_id ?? '';
  await agents.agent_b('respond_finding', { finding_id, decision: 'REJECT', response: 'The interface ends them.' });
  expect(await disputes()).toEqual([]);
  await setTimeout(5); // The time of the next event must be later than the time of the rejection.
  await agents.agent_a('submit_finding', { text: 'No limit of the amount is named.', blocking: false });
  expect(await disputes()).toMatchObject([
    {
      wait_id: `DISPUTE:${finding_id}`,
      operation: 'overrideFinding',
      from: 'agent_a',
      said: 'No limit of the retries is named.\n\nagent_b rejects: The interface ends them.',
    },
  ]);
  await agents.agent_a('resolve_finding', { finding_id, outcome: 'WITHDRAWN' });
  expect(await disputes()).toEqual([]);
  await world.close();
});

describe('an agent that disputes its defect', () => {
  const { open } = overMcp();
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  test('is heard by the owner, who assigns the defect to the other agent', async () => {
    const { sessionId, agents } = await playIn(world, await before('reassignDefect'));
    const owner = world.parley.owner('scenario-team');
    const fixer = async () =>
      (await owner.board(sessionId)).defects.find((one) => one.defect_id === 'def_1')?.assigned_to;
    const first = (await fixer()) ?? 'agent_a';
    const other = first === 'agent_a' ? 'agent_b' : 'agent_a';
    const { finding } = await agents[first]('submit_finding', {
      ...{ text: 'The lock is held by the caller.', target: 'def_1', blocking: false },
    });
    expect(finding).toMatchObject({ status: 'OPEN', awaiting: [other] });
    const [wait] = (await owner.view(sessionId)).waits;
    expect(wait).toMatchObject({
      wait_id: 'DISPUTE:def_1',
      operation: 'reassignDefect',
      payload: { defect_id: 'def_1', role: other },
      from: first,
      said: 'The lock is held by the caller.',
    });
    await owner.reassignDefect(sessionId, { defect_id: 'def_1', role: other, seen: await seenIn(owner, sessionId) });
    expect((await owner.view(sessionId)).waits).toEqual([]);
    expect(await fixer()).toBe(other);
    expect(JSON.stringify(await agents[other]('verify_next', {}))).toContain(
      'Defect def_1 of v-retries-book-once is assigned to you',
    );
  });
});
