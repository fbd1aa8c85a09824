import { describe, expect, test } from 'vitest';
import { createParley, type Owner } from '../../../src/index.ts';
import { createTestClock, openSession } from '../../../src/testing/index.ts';
import { createPausedStorage } from '../session/paused-storage.ts';

const TASK = { title: 'Another', objective: 'O', requirements: [{ requirement_id: 'R1', text: 'x' }] };

/** For each session of the owner, newest first: whether moderators may take part. */
async function entitlements(owner: Owner): Promise<boolean[]> {
  const { sessions } = await owner.listSessions();
  const views = await Promise.all(sessions.map(({ session_id }) => owner.view(session_id)));
  return views.map(({ moderator }) => moderator.entitled);
}

const changesIn = async (owner: Owner, sessionId: string): Promise<number> => {
  const kinds: string[] = [];
  for await (const line of owner.exportLog(sessionId)) kinds.push(JSON.parse(JSON.parse(line).event).kind);
  return kinds.filter((kind) => kind === 'entitlement.changed').length;
};

describe('setModeratorEntitlement', () => {
  test('reaches every session of the owner that has not ended', async () => {
    const { owner, sessionId: active, moderator } = await openSession();
    const { session_id: ended } = await owner.createSession(TASK);
    await owner.start(ended);
    await owner.end(ended, { end_reason: 'CANCELLED' });
    const { session_id: draft } = await owner.createSession(TASK);
    expect(await owner.setModeratorEntitlement({ entitled: false })).toEqual({ entitled: false, sessions: 2 });
    expect(await Promise.all([draft, ended, active].map((id) => changesIn(owner, id)))).toEqual([1, 0, 1]);
    await expect(moderator.call('read_task')).rejects.toMatchObject({ code: 'MODERATOR_NOT_ENTITLED' });
    expect(await owner.setModeratorEntitlement({ entitled: true })).toEqual({ entitled: true, sessions: 2 });
    await expect(moderator.call('read_task')).resolves.toMatchObject({ your_role: 'moderator' });
  });

  test('reaches the newest session even if it has ended, because the next session copies the value from it', async () => {
    const { owner, sessionId, clock } = await openSession();
    clock.advance(1_000);
    const { session_id: newest } = await owner.createSession(TASK);
    await owner.end(newest, { end_reason: 'CANCELLED' });
    expect(await owner.setModeratorEntitlement({ entitled: false })).toEqual({ entitled: false, sessions: 2 });
    expect([await changesIn(owner, newest), await changesIn(owner, sessionId)]).toEqual([1, 1]);
    clock.advance(1_000);
    const { session_id: next } = await owner.createSession(TASK);
    expect((await owner.view(next)).moderator.entitled).toBe(false);
  });

  test('is copied by a new session, without an event of its own', async () => {
    const { owner } = await openSession();
    await owner.setModeratorEntitlement({ entitled: false });
    const { session_id } = await owner.createSession(TASK);
    expect((await owner.view(session_id)).moderator).toMatchObject({ entitled: false, active: false });
    expect(await changesIn(owner, session_id)).toBe(0);
  });

  test('stores nothing if the setting is the same', async () => {
    const { owner, sessionId } = await openSession();
    const { head } = await owner.view(sessionId);
    expect(await owner.setModeratorEntitlement({ entitled: true })).toEqual({ entitled: true, sessions: 1 });
    expect((await owner.view(sessionId)).head).toEqual(head);
  });

  test('reaches a session beyond a page of the list', async () => {
    const { owner, sessionId, storage, clock } = await openSession();
    clock.advance(2_000);
    const { session_id: newest } = await owner.createSession(TASK);
    const listing = { title: 'Over', status: 'ENDED', phase: 'PLANNING', createdAt: '2026-01-05T09:00:01.000Z' };
    for (let n = 0; n < 200; n += 1)
      await storage.create(
        { sessionId: `over-${n}`, ownerId: 'owner-1', listing },
        [{ seq: 1, hash: 'h', body: '{}' }],
        [],
      );
    expect(await owner.setModeratorEntitlement({ entitled: false })).toEqual({ entitled: false, sessions: 2 });
    expect([await changesIn(owner, newest), await changesIn(owner, sessionId)]).toEqual([1, 1]);
  });

  test('changes no session of another owner', async () => {
    const { owner, parley } = await openSession();
    const other = parley.owner('owner-2');
    const { session_id } = await other.createSession(TASK);
    await owner.setModeratorEntitlement({ entitled: false });
    expect(await entitlements(other)).toEqual([true]);
    expect(await changesIn(other, session_id)).toBe(0);
    await other.createSession(TASK);
    expect(await entitlements(other)).toEqual([true, true]);
  });

  test('is refused to an owner without a session', async () => {
    const { parley } = await openSession();
    await expect(parley.owner('owner-2').setModeratorEntitlement({ entitled: false })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
    });
  });

  test.each([{}, { entitled: 'no' }, { entitled: false, since: 'now' }])('refuses %j', async (input) => {
    const { owner } = await openSession();
    await expect(owner.setModeratorEntitlement(input as { entitled: boolean })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

/** An owner with one session, on a storage whose calls a test can pause. */
async function openOwner() {
  const { storage, pause } = createPausedStorage();
  const parley = await createParley({ storage, clock: createTestClock() });
  const owner = parley.owner('owner-1');
  await owner.createSession(TASK);
  const another = (await createParley({ storage, clock: createTestClock() })).owner('owner-1');
  return { owner, another, pause };
}

describe('setModeratorEntitlement while a session is being created', () => {
  test.each([
    ['before it is stored', 'create', 0],
    ['after it is stored', 'fetch', 1],
  ] as const)('reaches it %s', async (_when, call, after) => {
    const { owner, pause } = await openOwner();
    const paused = pause(call, after);
    const created = owner.createSession(TASK);
    await paused.reached;
    await owner.setModeratorEntitlement({ entitled: false });
    paused.resume();
    await created;
    expect(await entitlements(owner)).toEqual([false, false]);
  });

  test.each([
    ['before it lists the sessions', 'list', 0],
    ['before it writes', 'append', 0],
    ['before it lists them again', 'list', 1],
  ] as const)('reaches a session that is created %s', async (_when, call, after) => {
    const { owner, pause } = await openOwner();
    const paused = pause(call, after);
    const set = owner.setModeratorEntitlement({ entitled: false });
    await paused.reached;
    await owner.createSession(TASK);
    paused.resume();
    await set;
    expect(await entitlements(owner)).toEqual([false, false]);
  });

  test('ends with the last setting if another process sets it again', async () => {
    const { owner, another, pause } = await openOwner();
    const before = pause('create');
    const created = owner.createSession(TASK);
    await before.reached;
    await owner.setModeratorEntitlement({ entitled: false });
    const write = pause('append');
    before.resume();
    await write.reached;
    await another.setModeratorEntitlement({ entitled: true });
    write.resume();
    await created;
    expect(await entitlements(another)).toEqual([true, true]);
  });

  test('reaches two new sessions, neither of which copies the value from the other', async () => {
    const { owner, pause } = await openOwner();
    const pauses = [pause('create'), pause('create')];
    const created = [owner.createSession(TASK), owner.createSession(TASK)];
    await Promise.all(pauses.map(({ reached }) => reached));
    await owner.setModeratorEntitlement({ entitled: false });
    const looks = [pause('fetch'), pause('fetch')];
    for (const { resume } of pauses) resume();
    await Promise.all(looks.map(({ reached }) => reached));
    for (const { resume } of looks) resume();
    await Promise.all(created);
    expect(await entitlements(owner)).toEqual([false, false, false]);
  });

  test('reaches the first two of an owner', async () => {
    const { storage, pause } = createPausedStorage();
    const owner = (await createParley({ storage, clock: createTestClock() })).owner('owner-1');
    const late = pause('create');
    const created = owner.createSession(TASK);
    await late.reached;
    await owner.createSession(TASK);
    await owner.setModeratorEntitlement({ entitled: false });
    late.resume();
    await created;
    expect(await entitlements(owner)).toEqual([false, false]);
  });
});
