import { createHttpHost, type Serving, serve } from '@parley/http-host';
import type { Json } from '@parley/missions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readTranscript } from './support/readings.ts';
import { refusal } from './support/refusal.ts';
import { openMemory } from './support/stores.ts';
import { gatherIn, openWorld, overMcp, type SeatedCast, type World } from './support/world.ts';

const TURN = {
  request_id: 'web-1',
  summary: 'The list reads 40 pages by offset before it shows the last one.',
  questions: ['Is (created_at, id) indexed?'],
  proposed_decisions: [{ topic: 'Cursor', position: 'The cursor is (created_at, id) of the last product.' }],
};
const REPLY = { summary: 'It is indexed.', answers: [{ question_id: 'q_1', answer: 'Yes, descending.' }] };

describe('a turn with a request_id', () => {
  const { open } = overMcp();
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  test('gets its first answer again after later turns, while paused, after a restart and after the end', async () => {
    const { sessionId, passes, agents } = await gatherIn(world);
    const first = await agents.agent_a('post_turn', TURN);
    expect(first).toMatchObject({
      turn_index: 0,
      round: 1,
      next_agent: 'agent_b',
      question_ids: ['q_1'],
      decision_ids: ['d_1'],
    });
    const bytes = JSON.stringify(first);
    const repeat = async (agent = agents.agent_a): Promise<string> => JSON.stringify(await agent('post_turn', TURN));

    expect(await repeat()).toBe(bytes);
    await agents.agent_b('post_turn', REPLY);
    expect(await repeat()).toBe(bytes);
    await world.owner.call('pause', sessionId, { reason: 'Lunch.' });
    expect(await repeat()).toBe(bytes);

    await world.close();
    world = await open();
    const agentA = await world.door.enter(passes.agent_a);
    expect(await repeat(agentA)).toBe(bytes);
    await world.owner.call('resume', sessionId, {});
    await world.owner.call('end', sessionId, { end_reason: 'CANCELLED' });
    expect(await repeat(agentA)).toBe(bytes);

    const turns = (await readTranscript(agentA)).filter(({ kind }) => kind === 'turn.posted');
    expect(turns.map(({ from }) => from)).toEqual(['agent_a', 'agent_b']);
  });

  test('is the same turn with its members in another order', async () => {
    const { agents } = await gatherIn(world);
    const first = await agents.agent_a('post_turn', TURN);
    const reordered = Object.fromEntries(Object.entries(TURN).toReversed());
    expect(await agents.agent_a('post_turn', reordered)).toEqual(first);
  });

  test('is refused with another body under the same key, also when it is not the turn of the caller', async () => {
    const { agents } = await gatherIn(world);
    await agents.agent_a('post_turn', TURN);
    const other = agents.agent_a('post_turn', { ...TURN, summary: 'Something else.' });
    expect(await refusal(other)).toMatchObject({ ok: false, error: 'IDEMPOTENCY_CONFLICT' });
  });

  test('does not conflict with the same key of the other agent', async () => {
    const { agents } = await gatherIn(world);
    await agents.agent_a('post_turn', TURN);
    const reply = await agents.agent_b('post_turn', { ...REPLY, request_id: 'web-1' });
    expect(reply).toMatchObject({ turn_index: 1, next_agent: 'agent_a' });
  });
});

describe('the key of a turn over REST', () => {
  let world: World;
  let cast: SeatedCast;
  let serving: Serving;
  beforeAll(async () => {
    world = await openWorld(await openMemory(), 'in process');
    const host = createHttpHost(world.parley);
    serving = await serve(host.handler, { host: '127.0.0.1', port: 0, parley: world.parley });
  });
  afterAll(async () => {
    await serving.close();
    await world.close();
  });
  beforeEach(async () => {
    cast = await gatherIn(world);
  });

  const { request_id: key, ...body } = TURN;

  async function post(turn: Json, header?: string): Promise<{ status: number; text: string }> {
    const { session_id, token } = cast.passes.agent_a;
    const response = await fetch(`${serving.url}/api/public/agent/sessions/${session_id}/turns`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(header && { 'idempotency-key': header }) },
      body: JSON.stringify(turn),
    });
    return { status: response.status, text: await response.text() };
  }

  test('counts alike in the header, quoted or not, in the body, and in both', async () => {
    const first = await post(body, key);
    expect(first.status).toBe(200);
    expect(await post(body, `"${key}"`)).toEqual(first);
    expect(await post({ ...body, request_id: key })).toEqual(first);
    expect(await post({ ...body, request_id: key }, key)).toEqual(first);
  });

  test('is refused when header and body differ, and nothing is posted', async () => {
    const { status, text } = await post({ ...body, request_id: key }, 'web-2');
    expect([status, JSON.parse(text).error]).toEqual([422, 'INVALID_INPUT']);
    expect(await cast.agents.agent_a('read_session_state', {})).toMatchObject({ turn_index: 0 });
  });

  test('conflicts across header and body as well', async () => {
    await post(body, key);
    const { status, text } = await post({ ...body, summary: 'Something else.', request_id: key });
    expect([status, JSON.parse(text).error]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });
});
