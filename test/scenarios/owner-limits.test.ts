import { randomUUID } from 'node:crypto';
import {
  createParley,
  type OwnerLimits,
  type Parley,
  ParleyError,
  type Storage,
  StorageUnavailable,
} from '@parley/core';
import { createTestClock } from '@parley/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SHARED_STORE, type Store } from './support/stores.ts';

const MISSION = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
};

/** Id of the owner whose limits are tested. Each test has its own owner. */
let limited: string;
beforeEach(() => {
  limited = randomUUID();
});

/** Returns `stored`, or for a refused call: error code, name of the limit, amount used, and amount allowed. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'stored',
    (error: unknown) => {
      if (!(error instanceof ParleyError)) throw error;
      const { account_limit, used, limit } = error.details;
      return [error.code, account_limit, used, limit];
    },
  );
}

async function start(storage: Storage, limits: { of: OwnerLimits }, clock = createTestClock()): Promise<Parley> {
  const parley = await createParley({
    storage,
    clock,
    limitsOf: (ownerId) => (ownerId === limited ? limits.of : undefined),
  });
  onTestFinished(() => parley.close());
  return parley;
}

describe('the limits of an owner', () => {
  let store: Store;
  let storage: Storage;
  // All tests share one database, because opening one takes longer than the tests.
  beforeAll(async () => {
    store = await SHARED_STORE.open();
    storage = await store.connect();
  });
  afterAll(async () => {
    await storage.close();
    await store.remove();
  });

  test('refuses the session beyond the limit, of this owner alone, until one is deleted', async () => {
    const parley = await start(storage, { of: { sessions: 2 } });
    const owner = parley.owner(limited);
    const { session_id } = await owner.createSession(MISSION);
    await owner.createSession(MISSION);
    expect(await outcome(owner.createSession(MISSION))).toEqual(['LIMIT_EXCEEDED', 'sessions', 2, 2]);
    expect((await owner.listSessions()).sessions).toHaveLength(2);
    expect(await outcome(parley.owner(`${limited}-other`).createSession(MISSION))).toBe('stored');
    await owner.deleteSession(session_id);
    expect(await outcome(owner.createSession(MISSION))).toBe('stored');
    expect(await outcome(owner.createSession(MISSION))).toEqual(['LIMIT_EXCEEDED', 'sessions', 2, 2]);
  });

  test('creates one session if several calls race for the last one', async () => {
    const parley = await start(storage, { of: { sessions: 3 } });
    const owner = parley.owner(limited);
    await owner.createSession(MISSION);
    await owner.createSession(MISSION);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => outcome(owner.createSession(MISSION))));
    expect(outcomes.filter((one) => one === 'stored')).toEqual(['stored']);
    expect(await storage.usage(limited)).toMatchObject({ sessions: 3 });
  });

  test('refuses to change the entitlement at the limit', async () => {
    const owner = (await start(storage, { of: { events: 1 } })).owner(limited);
    await owner.createSession(MISSION);
    const forbid = () => owner.setModeratorEntitlement({ entitled: false });
    expect(await outcome(forbid())).toEqual(['LIMIT_EXCEEDED', 'events', 1, 1]);
    expect(await storage.usage(limited)).toMatchObject({ events: 1 });
  });

  test('refuses the events beyond the limit, and stores nothing of a refused call', async () => {
    const limits: { of: OwnerLimits } = { of: { events: 4 } };
    const clock = createTestClock();
    const parley = await start(storage, limits, clock);
    const owner = parley.owner(limited);
    const { session_id: session } = await owner.createSession(MISSION);
    await owner.start(session);
    const { code } = await owner.invite(session, { role: 'agent_a' });
    const { token } = await parley.redeem({ code });
    const used = (await storage.usage(limited)).events;
    expect(used).toBe(4);
    const ask = () => owner.ask(session, { targets: ['agent_a'], text: 'Why?' });
    const agent = parley.agent(token);
    const decide = () => agent.call('submit_decision', { topic: 'Ids', position: 'UUIDs.' });
    expect(await outcome(ask())).toEqual(['LIMIT_EXCEEDED', 'events', 4, 4]);
    expect(await outcome(decide())).toEqual(['LIMIT_EXCEEDED', 'events', 4, 4]);
    expect(await outcome(owner.createSession(MISSION))).toEqual(['LIMIT_EXCEEDED', 'events', 4, 4]);
    expect(await storage.usage(limited)).toMatchObject({ sessions: 1, events: 4 });
    expect(await outcome(agent.call('read_session_state'))).toBe('stored');
    limits.of = { events: 6 };
    clock.advance(1_000);
    expect(await outcome(decide())).toBe('stored');
  });

  test('lets the owner read, pause, revoke, end and delete at the limit', async () => {
    const limits: { of: OwnerLimits } = { of: {} };
    const clock = createTestClock();
    const parley = await start(storage, limits, clock);
    const owner = parley.owner(limited);
    const { session_id: session } = await owner.createSession(MISSION);
    await owner.start(session);
    await owner.invite(session, { role: 'agent_a' });
    limits.of = { sessions: 0, events: 0, bytes: 0 };
    clock.advance(5_000);
    expect(await outcome(owner.extendRounds(session, { rounds: 2 }))).toEqual(['LIMIT_EXCEEDED', 'events', 3, 0]);
    expect(await outcome(owner.view(session))).toBe('stored');
    expect((await owner.verifyLog(session)).ok).toBe(true);
    expect(await outcome(owner.revoke(session, { role: 'agent_a' }))).toBe('stored');
    expect(await outcome(owner.pauseAll({ reason: 'Too much.' }))).toBe('stored');
    expect(await outcome(owner.resume(session))).toEqual(['LIMIT_EXCEEDED', 'events', 5, 0]);
    expect(await outcome(owner.end(session, { end_reason: 'CANCELLED' }))).toBe('stored');
    expect(await outcome(owner.deleteSession(session))).toBe('stored');
    expect(await storage.usage(limited)).toEqual({ sessions: 0, events: 0, bytes: 0 });
  });

  test('counts the record of each deleted session, so that creating and deleting in a loop ends', async () => {
    const owner = (await start(storage, { of: { events: 5 } })).owner(limited);
    const outcomes: unknown[] = [];
    for (let round = 0; round < 7; round += 1) {
      const created = await outcome(owner.createSession(MISSION));
      outcomes.push(created);
      const [session] = (await owner.listSessions()).sessions;
      if (session) await owner.deleteSession(session.session_id);
    }
    const full = ['LIMIT_EXCEEDED', 'events', 5, 5];
    expect(outcomes).toEqual(['stored', 'stored', 'stored', 'stored', 'stored', full, full]);
    expect((await owner.audit({ kind: 'session.erased' })).events).toHaveLength(5);
  });

  test('stores nothing for a closed owner, from agents neither, and goes on when the owner is open again', async () => {
    const limits: { of: OwnerLimits } = { of: {} };
    const clock = createTestClock();
    const parley = await start(storage, limits, clock);
    const owner = parley.owner(limited);
    const { session_id: session } = await owner.createSession(MISSION);
    await owner.start(session);
    const { code } = await owner.invite(session, { role: 'agent_a' });
    const { code: open } = await owner.invite(session, { role: 'agent_b' });
    const agent = parley.agent((await parley.redeem({ code })).token);
    const decide = () => outcome(agent.call('submit_decision', { topic: 'Ids', position: 'UUIDs.' }));
    limits.of = { isClosed: true };
    clock.advance(5_000);
    const before = await storage.usage(limited);
    const closed = ['LIMIT_EXCEEDED', 'closed', undefined, undefined];
    expect(await decide()).toEqual(closed);
    expect(await outcome(parley.redeem({ code: open }))).toEqual(closed);
    expect(await outcome(owner.createSession(MISSION))).toEqual(closed);
    expect(await outcome(owner.ask(session, { targets: ['agent_a'], text: 'Why?' }))).toEqual(closed);
    expect(await storage.usage(limited)).toEqual(before);
    expect(await outcome(agent.call('read_session_state'))).toBe('stored');
    expect(await outcome(owner.pause(session, { reason: 'Closed.' }))).toBe('stored');
    expect(await outcome(owner.resume(session))).toEqual(closed);
    limits.of = {};
    clock.advance(1_000);
    expect(await outcome(owner.resume(session))).toBe('stored');
    expect(await decide()).toBe('stored');
  });

  test('refuses the bytes beyond the limit', async () => {
    const parley = await start(storage, { of: { bytes: 4_000 } });
    const owner = parley.owner(limited);
    const { session_id: session } = await owner.createSession(MISSION);
    await owner.start(session);
    const before = await storage.usage(limited);
    const ask = (text: string) => outcome(owner.ask(session, { targets: ['agent_a'], text }));
    expect(await ask('x'.repeat(3_900))).toEqual(['LIMIT_EXCEEDED', 'bytes', before.bytes, 4_000]);
    expect(await storage.usage(limited)).toEqual(before);
    expect(await ask('Why?')).toBe('stored');
  });

  test('counts the events that this process appends at once, and never stores more than the limit', async () => {
    const parley = await start(storage, { of: { events: 20 } });
    const owner = parley.owner(limited);
    const sessions = await Promise.all([1, 2, 3, 4].map(() => owner.createSession(MISSION)));
    await Promise.all(sessions.map(({ session_id }) => owner.start(session_id)));
    const calls = sessions.flatMap(({ session_id }) =>
      Array.from({ length: 8 }, () => outcome(owner.ask(session_id, { targets: ['agent_a'], text: 'Why?' }))),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes).toContain('stored');
    expect((await storage.usage(limited)).events).toBeLessThanOrEqual(20);
    expect((await storage.usage(limited)).events).toBeGreaterThanOrEqual(19);
  });

  test('sees within 5 s what another process has appended', async () => {
    const clock = createTestClock();
    const [one, other] = [
      await start(storage, { of: { sessions: 2 } }, clock),
      await start(storage, { of: { sessions: 2 } }, clock),
    ];
    await one.owner(limited).createSession(MISSION);
    await other.owner(limited).createSession(MISSION);
    clock.advance(5_000);
    expect(await outcome(one.owner(limited).createSession(MISSION))).toEqual(['LIMIT_EXCEEDED', 'sessions', 2, 2]);
    expect(await storage.usage(limited)).toMatchObject({ sessions: 2 });
  });

  test('holds to the last count while the storage cannot count, and refuses writes of an owner that it never counted', async () => {
    let isAway = false;
    const partly: Storage = {
      ...storage,
      async usage(ownerId) {
        if (isAway) throw new StorageUnavailable('A server is away.');
        return storage.usage(ownerId);
      },
    };
    const clock = createTestClock();
    const limits = { of: { events: 4 } };
    const [owner, restarted] = [
      (await start(partly, limits, clock)).owner(limited),
      (await start(partly, limits, clock)).owner(limited),
    ];
    const { session_id: session } = await owner.createSession(MISSION);
    await owner.start(session);
    const ask = (by = owner) => by.ask(session, { targets: ['agent_a'], text: 'Why?' });
    isAway = true;
    clock.advance(5_000);
    expect(await outcome(ask())).toBe('stored');
    expect(await outcome(ask())).toBe('stored');
    clock.advance(5_000);
    expect(await outcome(ask())).toEqual(['LIMIT_EXCEEDED', 'events', 4, 4]);
    await expect(ask(restarted)).rejects.toBeInstanceOf(StorageUnavailable);
    isAway = false;
    limits.of = { events: 5 };
    clock.advance(5_000);
    expect(await outcome(ask())).toBe('stored');
    expect(await outcome(ask())).toEqual(['LIMIT_EXCEEDED', 'events', 5, 5]);
  });

  test('counts sessions and erasures once for many writes', async () => {
    const counted: string[] = [];
    const counting: Storage = {
      ...storage,
      usage: (ownerId) => {
        counted.push(ownerId);
        return storage.usage(ownerId);
      },
    };
    const owner = (await start(counting, { of: { events: 100 } })).owner(limited);
    const { session_id: session } = await owner.createSession(MISSION);
    await owner.start(session);
    for (let index = 0; index < 10; index += 1) await owner.ask(session, { targets: ['agent_a'], text: 'Why?' });
    expect(counted).toEqual([limited, `parley:erased:${limited}`]);
  });
});
