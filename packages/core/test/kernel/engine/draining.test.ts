import { describe, expect, test } from 'vitest';
import { settle, standing } from '../support/virtual-clock.ts';
import { openWorld } from '../support/world.ts';

describe('draining', () => {
  test('answers every held poll with the current state and refuses later calls', async () => {
    const world = await openWorld();
    const { here, tokenB, clock } = world;
    const poll = () => here.send('GET state', { token: tokenB, query: { wait: '25' } });
    const held = [poll(), poll()];
    await settle();
    await here.parley.drain();
    for (const answer of await Promise.all(held.map(standing)))
      expect(answer).toMatchObject({ status: 200, body: { timed_out: true } });
    for (const route of ['GET state', 'GET nowhere', 'GET /health', 'POST /invitations/redeem']) {
      expect(await here.send(route, { token: tokenB })).toMatchObject({
        status: 503,
        code: 'SHUTTING_DOWN',
        headers: { 'Retry-After': '2' },
      });
    }
    await expect(here.admit(tokenB)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    await here.parley.close();
    expect([here.parley.heldPolls(), clock.timers()]).toEqual([0, []]);
  });

  test('answers a wait immediately if it was admitted before the drain', async () => {
    const { here, tokenB } = await openWorld();
    const admission = await here.admit(tokenB);
    await here.parley.drain();
    expect(await standing(admission.callTool('wait_for_my_turn', { wait: 25 }))).toMatchObject({
      value: { timed_out: true },
    });
    expect(await standing(here.parley.agent(tokenB).call('wait_for_my_turn', { wait: 25 }))).toMatchObject({
      timed_out: true,
    });
  });

  test('completes a write in progress', async () => {
    const { here, tokenA, turn } = await openWorld();
    here.tape.nextAppend(async (real, append) => {
      await here.parley.drain();
      return await real(append);
    });
    expect(await here.send('POST turns', { token: tokenA, body: turn() })).toMatchObject({ status: 200 });
  });

  test('ends watching owners', async () => {
    const { here, owner, sessionId } = await openWorld();
    const seen: number[] = [];
    const watching = (async () => {
      for await (const { seq } of owner.watch(sessionId)) seen.push(seq);
      return 'ended';
    })();
    expect(await standing(watching)).toBe('waiting');
    await here.parley.drain();
    expect(await standing(watching)).toBe('ended');
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
