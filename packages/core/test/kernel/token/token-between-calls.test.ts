import { describe, expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

const MINUTE = 60_000;

/** Opens a request for several calls. The token of the request was authenticated and expires in one minute. */
async function openBatch() {
  const world = await openWorld();
  const { token, expires_at } = await redeemed(world);
  world.clock.jump(Date.parse(expires_at) - MINUTE - world.clock.now());
  const other = await world.openHost();
  const batch = await world.here.admit(token);
  const look = async () => (await batch.callTool('read_session_state', {})).text;
  const post = async () => (await batch.callTool('post_turn', world.turn())).text;
  return { ...world, token, other, look, post };
}

async function redeemed({ owner, sessionId, here }: Awaited<ReturnType<typeof openWorld>>) {
  const { code } = await owner.invite(sessionId, { role: 'agent_a' });
  return await here.parley.redeem({ code });
}

describe('between two calls of one request', () => {
  test('a token expires exactly at its expiry time, not a millisecond earlier', async () => {
    const { clock, look, post } = await openBatch();
    await look();
    clock.jump(MINUTE - 1);
    await look();
    clock.jump(1);
    await expect(look()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    await expect(post()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  test('a token is valid again when the clock is set back, and expires again when the clock moves on', async () => {
    const { clock, look } = await openBatch();
    clock.jump(MINUTE);
    await expect(look()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    clock.jump(-MINUTE);
    await look();
    clock.jump(MINUTE);
    await expect(look()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  test.each(['look', 'post'] as const)('a token that another process revoked is refused: %s', async (call) => {
    const batch = await openBatch();
    const before = await batch.look();
    await batch.other.parley.owner('owner-1').revoke(batch.sessionId, { role: 'agent_a' });
    const refused = batch[call]().catch((error: unknown) => error);
    await batch.clock.advance(1_000); // Ends the pause after which a write that lost a race is decided again.
    expect(await refused).toMatchObject({ code: 'TOKEN_REVOKED' });
    expect(JSON.parse(before).your_role).toBe('agent_a');
  });
});

test('a moderator that another process stopped is refused, although the same answer is cached', async () => {
  const { invite, openHost, here, sessionId } = await openWorld();
  const token = await invite('moderator');
  const other = (await openHost()).parley.owner('owner-1');
  const read = async () => (await here.send('GET state', { token })).code;
  const codes = [await read(), await read()];
  await other.stopModerator(sessionId, {});
  expect([...codes, await read()]).toEqual([undefined, undefined, 'MODERATOR_STOPPED']);
});

test('a cached answer is given only to its own role', async () => {
  const { here, tokenA, tokenB } = await openWorld();
  const roles: unknown[] = [];
  for (const token of [tokenA, tokenB, tokenA, tokenB])
    roles.push((await here.send('GET state', { token })).body.your_role);
  expect(roles).toEqual(['agent_a', 'agent_b', 'agent_a', 'agent_b']);
});
