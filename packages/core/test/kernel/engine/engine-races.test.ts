import { describe, expect, test } from 'vitest';
import { OutcomeUnknown, StorageUnavailable } from '../../../src/kernel/storage/storage.ts';
import { standing } from '../support/virtual-clock.ts';
import { openWorld, type World } from '../support/world.ts';

/** Posts the first turn at host `here`, and advances the clock so that the pauses between retries of the append end. */
async function post({ here, clock, tokenA, turn }: World, seconds = 1) {
  const answer = here.send('POST turns', { token: tokenA, body: { ...turn(), request_id: 'k' } });
  await clock.advance(seconds * 1000);
  return await answer;
}
const bodies = async ({ memory, sessionId }: World) =>
  (await memory.events(sessionId, 7, 500)).map(({ body }) => JSON.parse(body).kind);

describe('a lost race', () => {
  test('is tried again on the new state', async () => {
    const world = await openWorld();
    const { here, openHost, sessionId } = world;
    const other = await openHost();
    await other.parley.owner('owner-1').ask(sessionId, { targets: ['agent_b'], text: 'Why?' });
    expect(await post(world)).toMatchObject({ status: 200, body: { turn_index: 0 } });
    expect(here.tape.taken()).toEqual(['append 7', 'fetch 6', expect.stringMatching(/^append \d+$/)]);
  });

  test('is refused if the new state refuses it', async () => {
    const world = await openWorld();
    const { here, openHost, sessionId } = world;
    const other = await openHost();
    await other.parley.owner('owner-1').pause(sessionId, { reason: 'Lunch.' });
    expect(await post(world)).toMatchObject({ status: 409, code: 'SESSION_NOT_ACTIVE' });
    expect(here.tape.taken()).toEqual(['append 7', 'fetch 6']);
  });

  test('finds its own key if another process has stored the same call', async () => {
    const world = await openWorld();
    const other = await world.openHost();
    const first = await other.send('POST turns', { token: world.tokenA, body: { ...world.turn(), request_id: 'k' } });
    expect((await post(world)).text).toBe(first.text);
    expect(await bodies(world)).toEqual(['turn.posted']);
  });

  test('with a busy row is tried again on the same state', async () => {
    const world = await openWorld();
    world.here.tape.nextAppend(async () => 'refused');
    expect(await post(world)).toMatchObject({ status: 200 });
    expect(world.here.tape.taken()).toEqual(['append 7', 'fetch 6', 'append 7']);
  });

  test('sixteen times in a row ends in CONFLICT, with pauses of 2 to 50 ms', async () => {
    const world = await openWorld();
    const { here, clock, tokenA, turn } = world;
    for (let n = 0; n < 16; n += 1) here.tape.nextAppend(async () => 'refused');
    const answer = here.send('POST turns', { token: tokenA, body: turn() });
    const waits: number[] = [];
    for (let n = 0; n < 20 && (await standing(answer)) === 'waiting'; n += 1) {
      const [next = 0] = clock.timers();
      waits.push(next);
      await clock.advance(next);
    }
    expect(await answer).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(here.tape.taken().filter((call) => call.startsWith('append'))).toHaveLength(16);
    expect(waits.every((ms) => ms >= 2 && ms <= 50)).toBe(true);
    expect(await bodies(world)).toEqual([]);
  });

  test('for the last time is still answered from the winning state', async () => {
    const world = await openWorld();
    const { here, openHost, tokenA, clock, turn } = world;
    const other = await openHost();
    for (let n = 0; n < 15; n += 1) here.tape.nextAppend(async () => 'refused');
    here.tape.nextAppend(async () => {
      await other.send('POST turns', { token: tokenA, body: turn() });
      return 'refused';
    });
    const answer = here.send('POST turns', { token: tokenA, body: turn() });
    await clock.advance(1_000);
    expect(await answer).toMatchObject({ status: 409, code: 'NOT_YOUR_TURN' });
  });

  test('has exactly one winner among two processes', async () => {
    const world = await openWorld();
    const { here, openHost, tokenA, clock, turn } = world;
    const other = await openHost();
    const answers = Promise.all([here, other].map((host) => host.send('POST turns', { token: tokenA, body: turn() })));
    await clock.advance(1_000);
    expect((await answers).map(({ code }) => code).toSorted()).toEqual(['NOT_YOUR_TURN', undefined].toSorted());
    expect(await bodies(world)).toEqual(['turn.posted']);
  });
});

describe('an append of unknown outcome', () => {
  const sentOnce = ({ here }: World): boolean =>
    new Set(here.tape.appends.slice(-2).map((append) => JSON.stringify(append))).size === 1;

  test('that was stored is treated as stored', async () => {
    const world = await openWorld();
    world.here.tape.nextAppend(async (real, append) => {
      await real(append);
      throw new OutcomeUnknown('gone');
    });
    expect(await post(world)).toMatchObject({ status: 200, body: { turn_index: 0 } });
    expect(world.here.tape.taken()).toEqual(['append 7', 'append 7', 'fetch 6']);
    expect(sentOnce(world)).toBe(true);
    expect(await bodies(world)).toEqual(['turn.posted']);
  });

  test('that was not stored is sent again with the same bytes', async () => {
    const world = await openWorld();
    world.here.tape.nextAppend(async () => {
      throw new OutcomeUnknown('gone');
    });
    expect(await post(world)).toMatchObject({ status: 200, body: { at: '2026-11-21T09:00:00.000Z' } });
    expect(world.here.tape.taken()).toEqual(['append 7', 'append 7']);
    expect(sentOnce(world)).toBe(true);
    expect(await bodies(world)).toEqual(['turn.posted']);
  });

  test('that is stored late is found, also when other calls fail meanwhile', async () => {
    const world = await openWorld();
    const { tape } = world.here;
    let land = async (): Promise<void> => undefined;
    tape.nextAppend(async (real, append) => {
      land = async () => void (await real(append));
      throw new OutcomeUnknown('gone');
    });
    tape.nextAppend(async () => {
      throw new StorageUnavailable('down');
    });
    tape.nextAppend(async () => 'refused');
    tape.nextAppend(async (real, append) => {
      await land();
      return await real(append);
    });
    tape.nextFetch((real, ...args) => real(...args));
    tape.nextFetch(async () => {
      throw new StorageUnavailable('down again');
    });
    expect(await post(world)).toMatchObject({ status: 200, body: { turn_index: 0 } });
    expect(new Set(tape.appends.slice(-5).map((append) => JSON.stringify(append))).size).toBe(1);
    expect(await bodies(world)).toEqual(['turn.posted']);
  });

  test('that lost to another write is decided again', async () => {
    const world = await openWorld();
    const other = await world.openHost();
    world.here.tape.nextAppend(async () => {
      await other.parley.owner('owner-1').ask(world.sessionId, { targets: ['agent_b'], text: 'Why?' });
      throw new OutcomeUnknown('gone');
    });
    expect(await post(world)).toMatchObject({ status: 200, body: { turn_index: 0 } });
    expect((await bodies(world)).filter((kind) => kind === 'turn.posted')).toHaveLength(1);
  });

  test('that was stored before another write is treated as stored', async () => {
    const world = await openWorld();
    const other = await world.openHost();
    world.here.tape.nextAppend(async (real, append) => {
      await real(append);
      await other.send('POST turns', { token: world.tokenB, body: world.turn() });
      throw new OutcomeUnknown('gone');
    });
    expect(await post(world)).toMatchObject({ status: 200, body: { turn_index: 0 } });
    expect(await bodies(world)).toEqual(['turn.posted', 'turn.posted']);
    expect(await world.here.send('GET state', { token: world.tokenA })).toMatchObject({ body: { turn_index: 2 } });
  });

  test('for 15 seconds is reported as unknown to the caller and the operator', async () => {
    const world = await openWorld();
    for (let n = 0; n < 200; n += 1) {
      world.here.tape.nextAppend(async () => {
        throw new OutcomeUnknown('password=hunter2');
      });
    }
    const answer = await post(world, 16);
    expect(answer).toMatchObject({ status: 503, code: 'STORAGE_UNAVAILABLE', headers: { 'Retry-After': '5' } });
    expect(answer.text).not.toContain('hunter2');
    expect(world.here.failures).toHaveLength(1);
  });

  test('of a session deleted meanwhile answers like an unknown token', async () => {
    const world = await openWorld();
    world.here.tape.nextAppend(async () => {
      await world.memory.delete(world.sessionId);
      throw new OutcomeUnknown('gone');
    });
    expect(await post(world)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('a storage that fails', () => {
  test.each([
    ['reading', 'GET state', undefined],
    ['writing', 'POST turns', { summary: 's' }],
  ])('answers 503 without its text when %s', async (_what, route, body) => {
    const { here, tokenA } = await openWorld();
    const fault = async (): Promise<never> => {
      throw new StorageUnavailable('connect ECONNREFUSED 10.0.0.7:5432');
    };
    here.tape.nextFetch(fault);
    here.tape.nextAppend(fault);
    const answer = await here.send(route, { token: tokenA, body });
    expect(answer).toMatchObject({
      status: 503,
      code: 'STORAGE_UNAVAILABLE',
      body: { message: 'The storage cannot be reached at present.', retry_after_seconds: 2 },
      headers: { 'Retry-After': '2' },
    });
    expect(answer.text).not.toContain('ECONNREFUSED');
    expect(here.failures).toEqual([new StorageUnavailable('connect ECONNREFUSED 10.0.0.7:5432')]);
  });

  test('by any other error answers 500 without its text', async () => {
    const { here, tokenA, turn } = await openWorld();
    here.tape.nextAppend(async () => {
      throw new TypeError('select * from parley_event');
    });
    const answer = await here.send('POST turns', { token: tokenA, body: turn() });
    expect(answer).toMatchObject({
      status: 500,
      code: 'INTERNAL',
      body: { message: 'The service failed on this request.' },
    });
    expect(answer.body.trace_id).toMatch(/^[0-9A-Za-z]{12}$/);
    expect(answer.text).not.toContain('select');
  });

  test('does not affect the next write of the session', async () => {
    const world = await openWorld();
    world.here.tape.nextAppend(async () => {
      throw new StorageUnavailable('down');
    });
    expect(await post(world)).toMatchObject({ status: 503 });
    expect(await post(world)).toMatchObject({ status: 200, body: { turn_index: 0 } });
  });
});
