import { describe, expect, test, vi } from 'vitest';
import { readSessionState } from '../../../src/areas/session/operations.ts';
import { settle, standing } from '../support/virtual-clock.ts';
import { openWorld, type World } from '../support/world.ts';

/**
 * Delays in milliseconds of two timers of the process: the regular fetch of sessions with waiters, and the save of the
 * most recent call of each agent.
 */
const OF_THE_PROCESS = [10_000, 15_000];

const poll = ({ here }: World, token: string, wait = '25', signal?: AbortSignal) =>
  here.send('GET state', { token, query: { wait }, ...(signal ? { signal } : {}) });

/** For each held poll, the milliseconds until its timer runs. */
async function heldFor({ clock }: World): Promise<number[]> {
  await settle();
  return clock.timers().filter((ms) => !OF_THE_PROCESS.includes(ms));
}

describe('wait', () => {
  test.each([['0'], ['-0'], ['0.0']])('%s answers at once, without the member timed_out', async (wait) => {
    const world = await openWorld();
    const answer = await poll(world, world.tokenB, wait);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('timed_out');
  });

  test('is held no longer than the budget of the request', async () => {
    const world = await openWorld();
    const admission = await world.here.admit(world.tokenB);
    const held = admission.callTool('wait_for_my_turn', { wait: 25 }, 3);
    expect(await heldFor(world)).toEqual([3_000]);
    await world.clock.advance(3_000);
    expect((await held).value).toMatchObject({ timed_out: true });
  });

  test.each([[0], [-1]])('with a budget of %i answers at once, and says that nothing came', async (budget) => {
    const world = await openWorld();
    const admission = await world.here.admit(world.tokenB);
    const { value } = await admission.callTool('wait_for_my_turn', { wait: 25 }, budget);
    expect(value).toMatchObject({ your_turn: false, timed_out: true });
    const { value: own } = await (await world.here.admit(world.tokenA)).callTool(
      'wait_for_my_turn',
      { wait: 25 },
      budget,
    );
    expect(own).toMatchObject({ your_turn: true, timed_out: false });
  });
});

describe('a poll', () => {
  test('answers at once, each time, while there is work', async () => {
    const world = await openWorld();
    for (let n = 0; n < 3; n += 1) {
      expect(await poll(world, world.tokenA)).toMatchObject({
        status: 200,
        body: { your_turn: true, timed_out: false },
      });
    }
  });

  test('is ended by messages of others, not by messages of its own role', async () => {
    const world = await openWorld();
    const { here, tokenA, tokenB, turn } = world;
    await here.send('POST turns', { token: tokenA, body: turn() });
    const held = poll(world, tokenA);
    await settle();
    await here.send('POST evidence', { token: tokenA, body: { evidence: [{ kind: 'file', reference: 'a.ts' }] } });
    expect(await standing(held)).toBe('waiting');
    await here.send('POST decisions', { token: tokenB, body: { topic: 'T', position: 'P' } });
    expect(await standing(held)).toMatchObject({ status: 200, body: { timed_out: false } });
  });

  test('shares its answer, which is made once, with the polls of the same agent that the same turn ends', async () => {
    const world = await openWorld();
    const reply = vi.spyOn(readSessionState, 'reply');
    const held = [0, 1, 2].map(() => poll(world, world.tokenB));
    await settle();
    await world.here.send('POST turns', { token: world.tokenA, body: world.turn() });
    const texts = (await Promise.all(held)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    expect(reply).toHaveBeenCalledTimes(1);
    reply.mockRestore();
  });

  test('is not ended by events that its role may not see, and its cursor does not change', async () => {
    const world = await openWorld();
    const { cursor } = (await world.here.send('GET state', { token: world.tokenB })).body;
    const held = poll(world, world.tokenB);
    await settle();
    const moderator = await world.invite('moderator');
    await world.here.send('GET state', { token: moderator });
    await world.owner.revoke(world.sessionId, { role: 'moderator' });
    expect(await standing(held)).toBe('waiting');
    await world.clock.advance(25_000);
    expect(await held).toMatchObject({ status: 200, body: { timed_out: true, cursor } });
  });

  test('does not miss what is written while its state is fetched', async () => {
    const world = await openWorld();
    const { here, tokenA, tokenB, turn } = world;
    here.tape.nextFetch(async (real, ...args) => {
      const news = await real(...args);
      await here.send('POST turns', { token: tokenA, body: turn() });
      return news;
    });
    expect(await standing(poll(world, tokenB))).toMatchObject({
      status: 200,
      body: { your_turn: true, timed_out: false },
    });
  });

  test('ends at once when its client disconnects', async () => {
    const world = await openWorld();
    const client = new AbortController();
    void poll(world, world.tokenB, '25', client.signal);
    expect(await heldFor(world)).toEqual([25_000]);
    client.abort();
    expect(await heldFor(world)).toEqual([]);
    expect(world.here.parley.heldPolls()).toBe(0);
  });

  test('is not held if its client has disconnected before', async () => {
    const world = await openWorld();
    expect(await standing(poll(world, world.tokenB, '25', AbortSignal.abort()))).toMatchObject({ status: 200 });
    expect(world.here.parley.heldPolls()).toBe(0);
  });

  test('ends when its token begins a ninth poll, over REST and MCP together', async () => {
    const world = await openWorld();
    const held = Array.from({ length: 8 }, () => poll(world, world.tokenB));
    await settle();
    const ninth = (await world.here.admit(world.tokenB)).callTool('wait_for_my_turn', { wait: 25 });
    expect(await standing(held[0] ?? ninth)).toMatchObject({ status: 200, body: { timed_out: true } });
    expect(await standing(held[1] ?? ninth)).toBe('waiting');
    expect(await standing(ninth)).toBe('waiting');
    expect(world.here.parley.heldPolls()).toBe(8);
  });
});
