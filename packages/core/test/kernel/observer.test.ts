import { describe, expect, test } from 'vitest';
import { instrumentStorage } from '../../src/kernel/observe/instrumentation.ts';
import { guardObserver, type Observer, type SpanFacts } from '../../src/kernel/observe/observer.ts';
import { createMemoryStorage } from '../../src/kernel/storage/memory-storage.ts';
import { OutcomeUnknown } from '../../src/kernel/storage/storage.ts';
import { settle } from './support/virtual-clock.ts';
import { openWorld, type World } from './support/world.ts';

type Told = [method: string, ...facts: unknown[]];

/** An observer that records its calls. Its clock advances by 1 ms at each reading. */
function recorder(): { readonly told: Told[]; readonly observer: Observer } {
  const told: Told[] = [];
  let ticks = 0;
  const writeDown =
    (method: string) =>
    (...facts: unknown[]): void =>
      void told.push([method, ...facts]);
  const observer = {
    now() {
      ticks += 1;
      return ticks;
    },
    operationEnded: writeDown('operationEnded'),
    answeredError: writeDown('answeredError'),
    woken: writeDown('woken'),
    raceLost: writeDown('raceLost'),
    storageCalled: writeDown('storageCalled'),
    cacheRead: writeDown('cacheRead'),
    rateRefused: writeDown('rateRefused'),
  };
  return { told, observer };
}

/** A world whose observer records only the calls after the world was opened. */
async function openObserved(options: Parameters<typeof openWorld>[0] = {}): Promise<World & { told: Told[] }> {
  const { told, observer } = recorder();
  const world = await openWorld({ ...options, observer });
  told.length = 0;
  return { ...world, told };
}

const facts = (told: readonly Told[], method: string): unknown[][] =>
  told.filter(([name]) => name === method).map(([, ...rest]) => rest);

describe('an observer', () => {
  test('is told of a read, over either transport, and of the fetch that confirmed it', async () => {
    const { here, tokenA, told } = await openObserved();
    await here.send('GET state', { token: tokenA });
    expect(told).toEqual([
      ['cacheRead', 'sessions', true],
      ['storageCalled', { call: 'fetch', outcome: 'ok' }, 1],
      ['cacheRead', 'answers', false],
      ['operationEnded', { operation: 'read_session_state', kind: 'read', role: 'builder', outcome: 'ok' }, 3],
    ]);
    told.length = 0;
    await (await here.admit(tokenA)).callTool('read_session_state', {});
    expect(facts(told, 'operationEnded')).toEqual([
      [{ operation: 'read_session_state', kind: 'read', role: 'builder', outcome: 'ok' }, 3],
    ]);
  });

  test('is told of a write and its append', async () => {
    const { here, tokenA, told, turn } = await openObserved();
    expect((await here.send('POST turns', { token: tokenA, body: turn() })).status).toBe(200);
    expect(facts(told, 'storageCalled')).toEqual([[{ call: 'append', outcome: 'ok' }, 1]]);
    expect(facts(told, 'operationEnded')).toEqual([
      [{ operation: 'post_turn', kind: 'write', role: 'builder', outcome: 'ok' }, 4],
    ]);
  });

  test('is told of a refusal by its code, and of the error that left', async () => {
    const { here, tokenB, told, turn } = await openObserved();
    expect((await here.send('POST turns', { token: tokenB, body: turn() })).code).toBe('NOT_YOUR_TURN');
    expect(facts(told, 'operationEnded')).toMatchObject([
      [{ operation: 'post_turn', role: 'builder', outcome: 'NOT_YOUR_TURN' }, expect.any(Number)],
    ]);
    expect(facts(told, 'answeredError')).toEqual([['NOT_YOUR_TURN']]);
  });

  test('is told of errors that came before any operation was known', async () => {
    const { here, told } = await openObserved();
    await here.send('GET state', {});
    await here.send('GET state', { token: `prt_${'x'.repeat(71)}` });
    expect(facts(told, 'answeredError')).toEqual([['UNAUTHORIZED'], ['UNAUTHORIZED']]);
    expect(facts(told, 'operationEnded')).toEqual([]);
  });

  test('is told of the owner, and of what the owner does without a session', async () => {
    const { owner, sessionId, told } = await openObserved();
    await owner.pause(sessionId, { reason: 'lunch' });
    await owner.listSessions();
    await expect(owner.call('view', 'nowhere')).rejects.toThrow();
    expect(facts(told, 'operationEnded').map(([ended]) => ended)).toEqual([
      { operation: 'pause', kind: 'write', role: 'owner', outcome: 'ok' },
      { operation: 'listSessions', kind: 'read', role: 'owner', outcome: 'ok' },
      { operation: 'view', kind: 'read', role: 'unknown', outcome: 'UNKNOWN_RECORD' },
    ]);
  });

  test('is told the time from an event to the answer, once for each waiter that the event ended', async () => {
    const world = await openObserved();
    const { here, tokenA, tokenB, told, turn } = world;
    const held = here.send('GET state', { token: tokenB, query: { wait: '25' } });
    await settle();
    expect(here.parley.heldPolls()).toBe(1);
    await here.send('POST turns', { token: tokenA, body: turn() });
    expect((await held).body).toMatchObject({ your_turn: true });
    expect(facts(told, 'woken')).toEqual([[expect.any(Number)]]);
    expect(facts(told, 'operationEnded').map(([ended]) => ended)).toContainEqual({
      operation: 'read_session_state',
      kind: 'wait',
      role: 'builder',
      outcome: 'ok',
    });
  });

  test('is told of a wait that another process ended, but not of a wait whose time was over', async () => {
    const world = await openObserved();
    const { here, tokenA, tokenB, told, turn, clock } = world;
    const there = await world.openHost({ observer: {} });
    const held = here.send('GET state', { token: tokenB, query: { wait: '25' } });
    await settle();
    await there.send('POST turns', { token: tokenA, body: turn() });
    expect((await held).body).toMatchObject({ your_turn: true });
    expect(facts(told, 'woken')).toHaveLength(1);
    const idle = here.send('GET state', { token: tokenA, query: { wait: '1' } });
    await settle();
    await clock.advance(1_000);
    expect((await idle).body).toMatchObject({ timed_out: true });
    expect(facts(told, 'woken')).toHaveLength(1);
  });

  test('is notified of a lost race', async () => {
    const world = await openObserved();
    const { here, tokenA, told, turn, owner, sessionId, clock } = world;
    const there = await world.openHost({ observer: {} });
    await there.parley.owner('owner-1').direct(sessionId, { text: 'Be brief.', targets: ['agent_a'] });
    await settle();
    const posted = here.send('POST turns', { token: tokenA, body: turn() });
    await settle();
    await clock.advance(50);
    expect((await posted).status).toBe(200);
    expect(facts(told, 'raceLost')).toEqual([[]]);
    expect(facts(told, 'storageCalled').map(([called]) => called)).toEqual([
      { call: 'append', outcome: 'refused' },
      { call: 'fetch', outcome: 'ok' },
      { call: 'append', outcome: 'ok' },
    ]);
    expect(await owner.call('view', sessionId)).toMatchObject({ session_id: sessionId });
  });

  test('is told of an append of unknown outcome, and of the append that resolves it', async () => {
    const world = await openObserved();
    const { here, tokenA, told, turn, clock } = world;
    here.tape.nextAppend(() => Promise.reject(new OutcomeUnknown('gone')));
    const posted = here.send('POST turns', { token: tokenA, body: turn() });
    await settle();
    await clock.advance(100);
    expect((await posted).status).toBe(200);
    expect(facts(told, 'storageCalled').map(([called]) => called)).toEqual([
      { call: 'append', outcome: 'unknown' },
      { call: 'append', outcome: 'ok' },
    ]);
  });

  test('is notified of a reached limit', async () => {
    const limits = { perToken: 1, perAddress: 1, redeemPerAddress: 1 };
    const { here, tokenA, told } = await openObserved({ limits });
    const forged = `prt_${'x'.repeat(71)}`;
    for (const token of [tokenA, tokenA, forged, forged, undefined, undefined]) await here.send('GET state', { token });
    for (const code of ['pinv_x', 'pinv_x']) await here.send('POST /invitations/redeem', { body: { code } });
    expect(facts(told, 'rateRefused')).toEqual([['token'], ['forged'], ['address'], ['redeem']]);
    expect(facts(told, 'answeredError').filter(([code]) => code === 'RATE_LIMITED')).toHaveLength(4);
  });

  test('is told of a session that was not cached, and of an answer from the cache', async () => {
    const world = await openObserved();
    const { told, observer } = recorder();
    const there = await world.openHost({ observer });
    await there.send('GET state', { token: world.tokenA });
    await there.send('GET state', { token: world.tokenA });
    expect(facts(told, 'cacheRead')).toEqual([
      ['sessions', false],
      ['answers', false],
      ['sessions', true],
      ['answers', true],
    ]);
    expect(there.parley.cacheUse()).toMatchObject([
      { cache: 'sessions', entries: 1, limitBytes: 83_886_080 },
      { cache: 'events', limitBytes: 25_165_824 },
      { cache: 'documents', entries: 0, bytes: 0, limitBytes: 25_165_824 },
      { cache: 'answers', limitBytes: 12_582_912 },
    ]);
    expect(there.parley.cacheUse()[0]?.bytes).toBeGreaterThan(4_000);
  });

  test('that always throws makes no request fail, and is reported once', async () => {
    const broken = (): never => {
      throw new Error('broken observer');
    };
    const observer: Observer = {
      operationEnded: broken,
      answeredError: broken,
      woken: broken,
      raceLost: broken,
      storageCalled: broken,
      cacheRead: broken,
      rateRefused: broken,
      openSpan: broken,
    };
    const { here, tokenA, turn, tokenB } = await openWorld({ observer });
    expect((await here.send('POST turns', { token: tokenA, body: turn() })).status).toBe(200);
    expect((await here.send('POST turns', { token: tokenA, body: turn() })).code).toBe('NOT_YOUR_TURN');
    expect((await here.send('GET messages', { token: tokenB })).status).toBe(200);
    expect(here.failures).toEqual([new Error('broken observer')]);
  });
});

test('an observed storage can still use the private members of its class', async () => {
  const { health: _left, ...memory } = createMemoryStorage();
  class Guarded {
    #asked = 0;
    async health(): Promise<void> {
      this.#asked += 1;
    }
    asked = (): number => this.#asked;
  }
  const guarded = new Guarded();
  const { told, observer } = recorder();
  const safeObserver = guardObserver(observer, () => expect.unreachable());
  const observed = instrumentStorage(Object.assign(guarded, memory), safeObserver);
  await observed.health();
  expect(guarded.asked()).toBe(1);
  expect(await observed.fetch('no-session', 0)).toBeNull();
  expect(told).toEqual([['storageCalled', { call: 'fetch', outcome: 'ok' }, 1]]);
});

describe('a span', () => {
  test('is opened for the operation and for each call of the storage within it', async () => {
    const opened: SpanFacts[] = [];
    const ended: unknown[] = [];
    const observer: Observer = {
      openSpan(facts) {
        opened.push(facts);
        return { run: (begin) => begin(), end: (outcome) => void ended.push(outcome) };
      },
    };
    const { here, tokenA, turn, sessionId } = await openWorld({ observer });
    opened.length = 0;
    ended.length = 0;
    await here.send('POST turns', { token: tokenA, body: turn() });
    expect(opened).toEqual([
      { work: 'operation', operation: 'post_turn', sessionId },
      { work: 'append', sessionId },
    ]);
    expect(ended).toEqual([{ outcome: 'ok' }, { outcome: 'ok', role: 'builder' }]);
  });

  test.each<[string, Pick<NonNullable<ReturnType<NonNullable<Observer['openSpan']>>>, 'run'>]>([
    [
      'throws before the work begins',
      {
        run() {
          throw new Error('before');
        },
      },
    ],
    [
      'throws after the work began',
      {
        run(begin) {
          begin();
          throw new Error('after');
        },
      },
    ],
  ])('that %s does not prevent the work, which is done once', async (_name, { run }) => {
    const observer: Observer = { openSpan: () => ({ run, end: () => undefined }) };
    const { here, tokenA, turn, owner, sessionId } = await openWorld({ observer });
    expect((await here.send('POST turns', { token: tokenA, body: turn() })).status).toBe(200);
    const { messages } = await owner.transcript(sessionId);
    expect(messages.map(({ kind }) => kind)).toEqual(['session.started', 'turn.posted']);
  });
});
