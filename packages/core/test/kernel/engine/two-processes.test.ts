import { describe, expect, test } from 'vitest';
import type { ParleyError } from '../../../src/kernel/errors.ts';
import { settle, standing } from '../support/virtual-clock.ts';
import { type Answered, type Host, openWorld, type World } from '../support/world.ts';

const codeOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const outcome = await promise.catch((error: unknown) => error);
  return (outcome as Partial<Answered & ParleyError>).code;
};

/** Revokes a role's access by a call to the process `there`, which first loads the newest state. */
async function revoke(
  { there, thereOwner, sessionId }: Awaited<ReturnType<typeof openTwo>>,
  role: 'agent_a' | 'agent_b',
) {
  await thereOwner.view(sessionId);
  await thereOwner.revoke(sessionId, { role });
  there.tape.taken();
}

/** Opens a world, and a second process `there` that has cached the session of this world. */
async function openTwo(): Promise<World & { there: Host; thereOwner: World['owner'] }> {
  const world = await openWorld();
  const there = await world.openHost();
  await there.send('GET state', { token: world.tokenA });
  there.tape.taken();
  return { ...world, there, thereOwner: there.parley.owner('owner-1') };
}

describe('two processes on one storage', () => {
  test('a process reads the writes of the other immediately, and appends after them', async () => {
    const { here, there, tokenA, tokenB, turn } = await openTwo();
    for (let round = 0; round < 4; round += 1) {
      const [writer, reader] = round % 2 ? [there, here] : [here, there];
      const [token, other] = round % 2 ? [tokenB, tokenA] : [tokenA, tokenB];
      writer.tape.loseHints();
      expect(await writer.send('POST turns', { token, body: turn() })).toMatchObject({ body: { turn_index: round } });
      expect(await reader.send('GET state', { token: other })).toMatchObject({
        body: { turn_index: round + 1, your_turn: true },
      });
    }
  });

  test('an invitation made on one is redeemed on the other', async () => {
    const { owner, sessionId, there } = await openTwo();
    const { code } = await owner.invite(sessionId, { role: 'moderator' });
    expect(await there.send('POST /invitations/redeem', { body: { code } })).toMatchObject({
      status: 200,
      body: { role: 'moderator' },
    });
    expect(await there.send('POST /invitations/redeem', { body: { code } })).toMatchObject({
      code: 'INVITATION_INVALID',
    });
  });

  test('one code redeemed on both at once gives one token', async () => {
    const { owner, sessionId, here, there, clock } = await openTwo();
    const { code } = await owner.invite(sessionId, { role: 'moderator' });
    const answers = Promise.all([here, there].map((host) => host.send('POST /invitations/redeem', { body: { code } })));
    await clock.advance(1_000);
    expect((await answers).map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  test('every element of a batch reads the current state', async () => {
    const { here, there, tokenA, turn } = await openTwo();
    const admission = await there.admit(tokenA);
    await admission.confirm();
    expect((await admission.callTool('read_session_state', {})).value).toMatchObject({ turn_index: 0 });
    there.tape.loseHints();
    await here.send('POST turns', { token: tokenA, body: turn() });
    expect((await admission.callTool('read_session_state', {})).value).toMatchObject({ turn_index: 1 });
  });

  test('a token redeemed on one is known to the other, which has an older state', async () => {
    const { invite, there } = await openTwo();
    const token = await invite('moderator');
    expect(await there.send('GET state', { token })).toMatchObject({ status: 200 });
    expect(there.tape.taken()).toEqual(['fetch 6']);
  });
});

describe('a token revoked on another process, valid in the cache here', () => {
  const CALLS: Record<string, (world: World) => Promise<unknown>> = {
    'a read': ({ here, tokenA }) => here.send('GET state', { token: tokenA }),
    'a long-poll': ({ here, tokenA }) => here.send('GET state', { token: tokenA, query: { wait: '25' } }),
    'a write that would succeed': ({ here, tokenA, turn }) => here.send('POST turns', { token: tokenA, body: turn() }),
    'a write that would be refused': ({ here, tokenA }) =>
      here.send('POST decisions/accept', { token: tokenA, body: { decision_id: 'd_1' } }),
    'a repeated key': async ({ here, tokenA, turn }) =>
      here.send('POST turns', { token: tokenA, body: turn(), keys: ['known'] }),
    'an unknown route': ({ here, tokenA }) => here.send('GET nowhere', { token: tokenA }),
    'a wrong method': ({ here, tokenA }) => here.send('GET turns', { token: tokenA }),
    'another session': ({ here, tokenA }) => here.send('GET /sessions/AAAAAAAAAAAAAAAAAAAAAA/state', { token: tokenA }),
    'a bad body': ({ here, tokenA }) => here.send('POST turns', { token: tokenA, body: '{' }),
    'a bad input': ({ here, tokenA }) => here.send('POST turns', { token: tokenA, body: {} }),
    'a bad query': ({ here, tokenA }) => here.send('GET messages', { token: tokenA, query: { after: 'x' } }),
    'an MCP ping': async ({ here, tokenA }) => (await here.admit(tokenA)).confirm(),
    'an MCP tool': async ({ here, tokenA }) => (await here.admit(tokenA)).callTool('read_task', {}),
    'an MCP tool with a bad input': async ({ here, tokenA }) => (await here.admit(tokenA)).callTool('post_turn', {}),
    'a call in process': ({ here, tokenA }) => here.parley.agent(tokenA).call('read_task'),
  };

  test.each(Object.entries(CALLS))('refuses %s', async (_what, call) => {
    const world = await openTwo();
    await world.here.send('POST turns', { token: world.tokenA, body: world.turn(), keys: ['known'] });
    await revoke(world, 'agent_a');
    const outcome = codeOf(call(world));
    await world.clock.advance(1_000);
    expect(await outcome).toBe('TOKEN_REVOKED');
  });

  test('refuses calls without the scope too', async () => {
    const world = await openTwo();
    const token = await world.invite('agent_a', { scopes: ['read_task'] });
    expect(await codeOf(world.here.send('POST turns', { token, body: {} }))).toBe('INSUFFICIENT_SCOPE');
    await revoke(world, 'agent_a');
    expect(await codeOf(world.here.send('POST turns', { token, body: {} }))).toBe('TOKEN_REVOKED');
  });

  test('refuses the next element of a batch that was already accepted', async () => {
    const world = await openTwo();
    const admission = await world.here.admit(world.tokenA);
    await admission.callTool('read_task', {});
    await revoke(world, 'agent_a');
    expect(await codeOf(admission.callTool('read_task', {}))).toBe('TOKEN_REVOKED');
  });

  test('does not affect the other agent', async () => {
    const world = await openTwo();
    await revoke(world, 'agent_a');
    expect(await world.here.send('GET state', { token: world.tokenB })).toMatchObject({ status: 200 });
  });

  test('in a deleted session is unknown', async () => {
    const world = await openTwo();
    await world.thereOwner.deleteSession(world.sessionId);
    expect(await codeOf(world.here.send('GET nowhere', { token: world.tokenA }))).toBe('UNAUTHORIZED');
    expect(await codeOf(world.here.send('POST turns', { token: world.tokenA, body: world.turn() }))).toBe(
      'UNAUTHORIZED',
    );
  });
});

describe('a poll held here', () => {
  const hold = ({ here }: World, token: string) => here.send('GET state', { token, query: { wait: '25' } });

  test('ends by a hint, without delay', async () => {
    const world = await openTwo();
    const poll = hold(world, world.tokenB);
    await settle();
    await world.there.send('POST turns', { token: world.tokenA, body: world.turn() });
    expect(await standing(poll)).toMatchObject({ status: 200, body: { your_turn: true, timed_out: false } });
  });

  test('that finds new events at its end says that it did not time out', async () => {
    const world = await openTwo();
    world.there.tape.loseHints();
    const poll = world.here.send('GET state', { token: world.tokenB, query: { wait: '5' } });
    await settle();
    await world.there.send('POST turns', { token: world.tokenA, body: world.turn() });
    await world.clock.advance(5_000);
    expect(await poll).toMatchObject({ status: 200, body: { your_turn: true, timed_out: false } });
  });

  test('ends by the backstop within 10 seconds if hints are lost', async () => {
    const world = await openTwo();
    world.there.tape.loseHints();
    const poll = hold(world, world.tokenB);
    await settle();
    await world.there.send('POST turns', { token: world.tokenA, body: world.turn() });
    expect(await standing(poll)).toBe('waiting');
    await world.clock.advance(10_000);
    expect(await poll).toMatchObject({ status: 200, body: { your_turn: true, timed_out: false } });
  });

  test.each([
    ['a hint', true],
    ['the backstop', false],
  ])('ends with the error when %s reports the revocation, and no other poll ends', async (_how, areHintsSent) => {
    const world = await openTwo();
    if (!areHintsSent) world.there.tape.loseHints();
    const mine = [hold(world, world.tokenB), hold(world, world.tokenB)];
    const token = await world.invite('moderator');
    const { cursor } = (await world.here.send('GET state', { token })).body;
    const moderator = world.here.send('GET state', { token, query: { wait: '25', after: String(cursor) } });
    await settle();
    await revoke(world, 'agent_b');
    if (!areHintsSent) await world.clock.advance(10_000);
    expect(await Promise.all(mine.map(standing))).toMatchObject([
      { status: 401, code: 'TOKEN_REVOKED' },
      { status: 401, code: 'TOKEN_REVOKED' },
    ]);
    expect(await standing(moderator)).toBe('waiting');
    expect(world.here.parley.heldPolls()).toBe(1);
  });

  test.each([
    ['a hint', true],
    ['the backstop', false],
  ])('ends when %s reports that the session was deleted', async (_how, areHintsSent) => {
    const world = await openTwo();
    if (!areHintsSent) world.there.tape.loseHints();
    const poll = hold(world, world.tokenB);
    await settle();
    await world.thereOwner.deleteSession(world.sessionId);
    if (!areHintsSent) await world.clock.advance(10_000);
    expect(await standing(poll)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(world.here.parley.heldPolls()).toBe(0);
  });

  test('continues to wait although the storage fails once', async () => {
    const world = await openTwo();
    const poll = hold(world, world.tokenB);
    await settle();
    world.here.tape.nextFetch(async () => {
      throw new Error('down');
    });
    await world.there.send('POST turns', { token: world.tokenA, body: world.turn() });
    expect(await standing(poll)).toBe('waiting');
    expect(world.here.failures).toEqual([new Error('down')]);
    await world.clock.advance(10_000);
    expect(await poll).toMatchObject({ status: 200, body: { your_turn: true } });
  });
});
