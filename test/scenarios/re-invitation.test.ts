import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTranscript } from './support/readings.ts';
import { refusal } from './support/refusal.ts';
import { createVirtualClock } from './support/virtual-clock.ts';
import { gatherIn, overMcp, type SeatedCast, type World } from './support/world.ts';

describe('an agent that is invited again', () => {
  const { open } = overMcp();
  const clock = createVirtualClock();
  let world: World;
  beforeAll(async () => {
    world = await open(clock);
  });
  afterAll(() => world.close());

  async function redeemAnew({ sessionId }: SeatedCast) {
    const { code } = await world.owner.call('invite', sessionId, { role: 'agent_a' });
    return world.door.redeem(String(code));
  }

  test('keeps its old token until the new code is redeemed, and loses it then', async () => {
    const cast = await gatherIn(world);
    const { code } = await world.owner.call('invite', cast.sessionId, { role: 'agent_a' });
    expect(await cast.agents.agent_a('read_task', {})).toMatchObject({ your_role: 'agent_a' });
    await world.door.redeem(String(code));
    expect(await refusal(cast.agents.agent_a('read_task', {}))).toMatchObject({ error: 'TOKEN_REVOKED' });
    expect(await cast.agents.agent_b('read_task', {})).toMatchObject({ your_role: 'agent_b' });
  });

  test('finds transcript, decisions and its open questions as it left them, and goes on', async () => {
    const cast = await gatherIn(world);
    const { agent_a: before, agent_b: other } = cast.agents;
    await before('post_turn', { summary: 'One.', proposed_decisions: [{ topic: 'Cursor', position: 'Opaque.' }] });
    await other('post_turn', { summary: 'Two.', questions: ['Signed as well?'] });
    const transcript = await readTranscript(before);

    const after = await world.door.enter(await redeemAnew(cast));
    expect(await readTranscript(after)).toEqual(transcript);
    expect(await after('list_decisions', {})).toMatchObject({
      decisions: [{ decision_id: 'd_1', proposed_by: 'agent_a' }],
    });
    expect(await after('read_session_state', {})).toMatchObject({
      your_turn: true,
      turn_index: 2,
      open_questions: [{ question_id: 'q_1', text: 'Signed as well?' }],
    });
    const turn = { summary: 'Three.', answers: [{ question_id: 'q_1', answer: 'Yes.' }] };
    expect(await after('post_turn', turn)).toMatchObject({ turn_index: 2, next_agent: 'agent_b' });
    expect(await after('withdraw_decision', { decision_id: 'd_1', reason: 'Too early.' })).toMatchObject({
      decision: { status: 'WITHDRAWN' },
    });
  });

  test('gets the first answer to a turn that it repeats with the new token', async () => {
    const cast = await gatherIn(world);
    const turn = { request_id: 'web-1', summary: 'One.' };
    const first = await cast.agents.agent_a('post_turn', turn);
    const after = await world.door.enter(await redeemAnew(cast));
    expect(JSON.stringify(await after('post_turn', turn))).toBe(JSON.stringify(first));
  });

  test('has its held poll refused, while the poll of the other agent is held on', async () => {
    const cast = await gatherIn(world);
    await world.owner.call('pause', cast.sessionId, { reason: 'Lunch.' });
    const own = refusal(cast.agents.agent_a('wait_for_my_turn', { wait: 25 }));
    const others = cast.agents.agent_b('wait_for_my_turn', { wait: 25 });
    await clock.pending(25_000, 2);

    await redeemAnew(cast);
    expect(await own).toMatchObject({ error: 'TOKEN_REVOKED' });
    await clock.pending(25_000, 1);
    clock.advance(25_000);
    expect(await others).toMatchObject({ timed_out: true });
  });

  test('is refused when the owner revokes its access, and joins again with a new code', async () => {
    const cast = await gatherIn(world);
    await world.owner.call('revoke', cast.sessionId, { role: 'agent_a' });
    expect(await refusal(cast.agents.agent_a('read_task', {}))).toMatchObject({ error: 'TOKEN_REVOKED' });
    const after = await world.door.enter(await redeemAnew(cast));
    expect(await after('post_turn', { summary: 'Back.' })).toMatchObject({ turn_index: 0 });
  });
});
