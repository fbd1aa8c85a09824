import { describe, expect, test } from 'vitest';
import { type OpenedSession, openSession } from '../../../src/testing/index.ts';
import { held } from '../../held.ts';

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const unknown = { code: 'UNKNOWN_RECORD', status: 404 };

describe('listSessions', () => {
  test('shows the owner’s sessions, newest first, a page at a time', async () => {
    const { owner, sessionId, clock } = await openSession();
    clock.advance(1_000);
    const { session_id } = await owner.createSession({
      title: 'Second',
      objective: 'O',
      requirements: [{ requirement_id: 'R1', text: 'x' }],
    });
    expect(await owner.listSessions()).toEqual({
      sessions: [
        {
          session_id,
          title: 'Second',
          status: 'DRAFT',
          phase: 'PLANNING',
          created_at: '2026-01-05T09:00:01.000Z',
          events: 1,
        },
        {
          session_id: sessionId,
          title: 'Orders and stock',
          status: 'ACTIVE',
          phase: 'PLANNING',
          created_at: '2026-01-05T09:00:00.000Z',
          events: 8,
        },
      ],
      next_after: null,
    });
    expect(await owner.listSessions({ limit: 1 })).toMatchObject({
      sessions: [{ session_id }],
      next_after: session_id,
    });
    expect(await owner.listSessions({ limit: 2, after: session_id })).toMatchObject({
      sessions: [{ session_id: sessionId }],
      next_after: null,
    });
  });

  test('shows nothing of another owner', async () => {
    const { parley } = await openSession();
    expect(await parley.owner('owner-2').listSessions()).toEqual({ sessions: [], next_after: null });
  });
});

describe('another owner', () => {
  test('cannot reach a session of this owner by any call', async () => {
    const { parley, sessionId } = await openSession();
    const other = parley.owner('owner-2');
    await expect(other.view(sessionId)).rejects.toMatchObject(unknown);
    await expect(other.pause(sessionId, { reason: 'x' })).rejects.toMatchObject(unknown);
    await expect(other.verifyLog(sessionId)).rejects.toMatchObject(unknown);
    await expect(other.deleteSession(sessionId)).rejects.toMatchObject(unknown);
    await expect(collect(other.exportLog(sessionId))).rejects.toMatchObject(unknown);
    await expect(collect(other.watch(sessionId))).rejects.toMatchObject(unknown);
  });

  test.each(['', '\0', 'x\0', '\ud800', 'x'.repeat(5_000)])(
    'finds no session by %j, which no storage can store',
    async (id) => {
      const { owner } = await openSession();
      await expect(owner.view(id)).rejects.toMatchObject(unknown);
      await expect(owner.pause(id, { reason: 'x' })).rejects.toMatchObject(unknown);
      await expect(owner.verifyLog(id)).rejects.toMatchObject(unknown);
      await expect(owner.deleteSession(id)).rejects.toMatchObject(unknown);
      await expect(collect(owner.exportLog(id))).rejects.toMatchObject(unknown);
      await expect(collect(owner.watch(id))).rejects.toMatchObject(unknown);
    },
  );

  test('gets the same message as for a session that never existed', async () => {
    const { parley, sessionId } = await openSession();
    const message = async (id: string) =>
      parley
        .owner('owner-2')
        .view(id)
        .catch(({ message: words }: Error) => words);
    expect(await message(sessionId)).toBe(await message('x'.repeat(22)));
  });
});

describe('deleteSession', () => {
  test('erases the session and ends its tokens', async () => {
    const { owner, sessionId, agentA, storage } = await openSession();
    expect(await owner.deleteSession(sessionId)).toEqual({ deleted: true });
    await expect(owner.view(sessionId)).rejects.toMatchObject(unknown);
    await expect(agentA.call('read_task')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await storage.fetch(sessionId, 0)).toBeNull();
  });

  test('refuses a session that was deleted', async () => {
    const { owner, sessionId } = await openSession();
    await owner.deleteSession(sessionId);
    await expect(owner.deleteSession(sessionId)).rejects.toMatchObject(unknown);
  });

  test('ends the polls that are held on it', async () => {
    const session = await openSession();
    const poll = session.agentB.call('wait_for_my_turn', { wait: 25 });
    await held(session);
    await session.owner.deleteSession(session.sessionId);
    await expect(poll).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('exportLog and verifyLog', () => {
  test('return each event as stored with its hash, and report the chain as valid', async () => {
    const { owner, sessionId } = await openSession();
    const lines = (await collect(owner.exportLog(sessionId))).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(8);
    expect(JSON.parse(lines[0].event)).toMatchObject({ session_id: sessionId, seq: 1, kind: 'session.created' });
    const { head } = await owner.view(sessionId);
    expect(lines.at(-1).hash).toBe(head.hash);
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true });
  });

  test('exportLog ends with an error if the session is deleted meanwhile', async () => {
    const { owner, sessionId } = await openSession();
    const lines = owner.exportLog(sessionId)[Symbol.asyncIterator]();
    expect((await lines.next()).done).toBe(false);
    await owner.deleteSession(sessionId);
    const rest = async () => {
      while (!(await lines.next()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'UNKNOWN_RECORD' });
  });
});

describe('watch', () => {
  const start = ({ owner, sessionId }: OpenedSession, after: number, signal?: AbortSignal) =>
    owner.watch(sessionId, signal ? { after, signal } : { after })[Symbol.asyncIterator]();

  test('yields the stored events after a cursor, then each new event', async () => {
    const session = await openSession();
    const events = start(session, 7);
    expect((await events.next()).value).toMatchObject({ seq: 8, kind: 'session.started' });
    const next = events.next();
    await held(session);
    await session.agentA.call('post_turn', { summary: 'A turn.' });
    expect((await next).value).toMatchObject({ seq: 9, kind: 'turn.posted', actor: 'agent_a' });
    await events.return?.();
  });

  test('ends when its signal aborts', async () => {
    const session = await openSession();
    const controller = new AbortController();
    const next = start(session, 8, controller.signal).next();
    await held(session);
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('ends when the service closes', async () => {
    const session = await openSession();
    const next = start(session, 8).next();
    await held(session);
    await session.parley.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
