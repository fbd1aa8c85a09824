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
});

describe('a token revoked on another process, valid in the cache here', () => {
  test.each<[string, (world: World) => Promise<unknown>]>([
    [
      'a repeated key',
      ({ here, tokenA, turn }) => here.send('POST turns', { token: tokenA, body: turn(), keys: ['k'] }),
    ],
    ['a call in process', ({ here, tokenA }) => here.parley.agent(tokenA).call('read_task')],
  ])('refuses %s', async (_what, call) => {
    const world = await openTwo();
    await world.here.send('POST turns', { token: world.tokenA, body: world.turn(), keys: ['k'] });
    await revoke(world, 'agent_a');
    const outcome = codeOf(call(world));
    await world.clock.advance(1_000);
    expect(await outcome).toBe('TOKEN_REVOKED');
  });

  test('refuses the next element of a batch that was already accepted', async () => {
    const world = await openTwo();
    const admission = await world.here.admit(world.tokenA);
    await admission.callTool('read_task', {});
    await revoke(world, 'agent_a');
    expect(await codeOf(admission.callTool('read_task', {}))).toBe('TOKEN_REVOKED');
  });
});

describe('a poll held here', () => {
  const hold = ({ here }: World, token: string) => here.send('GET state', { token, query: { wait: '25' } });

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
