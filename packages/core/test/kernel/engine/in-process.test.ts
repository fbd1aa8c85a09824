import { expect, test } from 'vitest';
import { standing } from '../support/virtual-clock.ts';
import { openWorld } from '../support/world.ts';

test('a call in process returns the same answer as the hosts', async () => {
  const { here, tokenA, turn } = await openWorld();
  const agent = here.parley.agent(tokenA);
  expect(await agent.call('post_turn', turn())).toMatchObject({ turn_index: 0, next_agent: 'agent_b' });
  expect(await agent.call('read_task')).toEqual((await here.send('GET task', { token: tokenA })).body);
});

test('a call in process is refused with the same errors as by the hosts', async () => {
  const { here, tokenA, tokenB, turn, invite } = await openWorld();
  const moderator = await invite('moderator');
  const refused = (promise: Promise<unknown>) => expect(promise).rejects;
  await refused(here.parley.agent(tokenB).call('post_turn', turn())).toMatchObject({ code: 'NOT_YOUR_TURN' });
  await refused(here.parley.agent(moderator).call('post_turn', turn())).toMatchObject({ code: 'MODERATOR_FORBIDDEN' });
  await refused(here.parley.agent('prt_no').call('read_task')).toMatchObject({ code: 'UNAUTHORIZED' });
  await refused(here.parley.agent('').call('read_task')).toMatchObject({ code: 'UNAUTHORIZED' });
  await refused(here.parley.agent(`${tokenA} `).call('read_task')).toMatchObject({ code: 'UNAUTHORIZED' });
  await refused(here.parley.agent(tokenA).call('nothing' as 'read_task')).toMatchObject({ code: 'NOT_FOUND' });
  await refused(here.parley.agent(tokenA).call('redeem_invitation' as 'read_task')).toMatchObject({ status: 403 });
  await refused(here.parley.agent(tokenA).call('post_turn', { summary: '\ud800' })).toMatchObject({
    code: 'INVALID_JSON',
  });
});

test('calls in process are not counted by rate limits', async () => {
  const { here, tokenA } = await openWorld({ limits: { perToken: 1 } });
  for (let n = 0; n < 5; n += 1) await here.parley.agent(tokenA).call('read_task');
  expect(await here.send('GET task', { token: tokenA })).toMatchObject({ status: 200 });
});

test('a call in process that waits ends with its signal', async () => {
  const { here, tokenB } = await openWorld();
  const caller = new AbortController();
  const call = here.parley.agent(tokenB).call('wait_for_my_turn', { wait: 25 }, { signal: caller.signal });
  expect(await standing(call)).toBe('waiting');
  caller.abort();
  expect(await standing(call)).toMatchObject({ timed_out: true });
  expect(here.parley.heldPolls()).toBe(0);
});
