import { describe, expect, test } from 'vitest';
import { createParley } from '../../../src/index.ts';
import { createMemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import { StorageUnavailable } from '../../../src/kernel/storage/storage.ts';
import { type OpenedSession, openSession } from '../../../src/testing/index.ts';
import { DRAFT } from '../../draft.ts';

const reason = 'An incident.';

/** Three active sessions, a draft, and a session that was paused on its own. */
async function several(options: Parameters<typeof openSession>[0] = {}) {
  const opened = await openSession(options);
  const { owner } = opened;
  const make = async () => (await owner.createSession(DRAFT)).session_id;
  const [second, third, byHand, draft] = [await make(), await make(), await make(), await make()];
  for (const id of [second, third, byHand]) await owner.start(id);
  await owner.pause(byHand, { reason: 'Lunch.' });
  return { ...opened, active: [opened.sessionId, second, third], byHand, draft };
}

async function statuses({ owner }: Pick<OpenedSession, 'owner'>): Promise<Record<string, string>> {
  const { sessions } = await owner.listSessions();
  return Object.fromEntries(sessions.map(({ session_id, status }) => [session_id, status]));
}

describe('pauseAll', () => {
  test('pauses every active session, and resumeAll resumes exactly these', async () => {
    const opened = await several();
    const { owner, active, byHand, draft } = opened;
    const { pause_id, paused, failed } = await owner.pauseAll({ reason });
    expect([...paused].toSorted()).toEqual([...active].toSorted());
    expect(failed).toEqual([]);
    expect(Object.values(await statuses(opened)).filter((status) => status === 'ACTIVE')).toEqual([]);
    expect((await owner.resumeAll({ pause_id })).resumed.toSorted()).toEqual([...active].toSorted());
    expect(await statuses(opened)).toMatchObject({ [byHand]: 'PAUSED', [draft]: 'DRAFT', [active[0] ?? '']: 'ACTIVE' });
    expect(await owner.resumeAll({ pause_id })).toEqual({ resumed: [], failed: [] });
  });

  test('is undone by resumeAll without an id if it is the latest call', async () => {
    const { owner, active, clock } = await several();
    const [one, two, three] = active;
    await owner.pauseAll({ reason });
    await owner.resume(one ?? '');
    clock.advance(60_000);
    expect(await owner.pauseAll({ reason })).toMatchObject({ paused: [one] });
    expect(await owner.resumeAll()).toEqual({ resumed: [one], failed: [] });
    expect((await owner.resumeAll()).resumed.toSorted()).toEqual([two, three].toSorted());
    expect(await owner.resumeAll()).toEqual({ resumed: [], failed: [] });
  });

  test('does not change sessions that were resumed, paused again or ended meanwhile', async () => {
    const opened = await several();
    const { owner, active } = opened;
    const [one = '', two = '', three = ''] = active;
    const { pause_id } = await owner.pauseAll({ reason });
    await owner.resume(one);
    await owner.pause(one, { reason: 'Lunch.' });
    await owner.end(two, { end_reason: 'CANCELLED' });
    expect(await owner.resumeAll({ pause_id })).toEqual({ resumed: [three], failed: [] });
    expect(await statuses(opened)).toMatchObject({ [one]: 'PAUSED', [two]: 'ENDED', [three]: 'ACTIVE' });
  });

  test('races with the end of a session, which wins or loses as a whole', async () => {
    const opened = await several();
    const { owner, active } = opened;
    const ends = active.map((id) => owner.end(id, { end_reason: 'CANCELLED' }));
    const [{ failed }] = await Promise.all([owner.pauseAll({ reason }), ...ends]);
    expect(failed).toEqual([]);
    expect(await statuses(opened)).toMatchObject(Object.fromEntries(active.map((id) => [id, 'ENDED'])));
  });

  test('reports which sessions it could not pause, and pauses them under the same id when it is called again', async () => {
    const memory = createMemoryStorage();
    let broken = '';
    const opened = await several({
      storage: {
        ...memory,
        append: async (append) => {
          if (append.sessionId === broken) throw new StorageUnavailable('No connection.');
          return await memory.append(append);
        },
      },
    });
    const { owner, active } = opened;
    broken = active[1] ?? '';
    const first = await owner.pauseAll({ reason });
    expect(first.paused).toHaveLength(2);
    expect(first.failed).toEqual([
      {
        session_id: broken,
        code: 'STORAGE_UNAVAILABLE',
        text: 'The database did not answer: send the call again with the same pause_id.',
      },
    ]);
    const failed = broken;
    broken = '';
    expect(await owner.pauseAll({ reason, pause_id: first.pause_id })).toMatchObject({ paused: [failed], failed: [] });
    expect((await owner.resumeAll({ pause_id: first.pause_id })).resumed).toHaveLength(3);
  });

  test('reaches no session of another owner, and shows its id to no agent', async () => {
    const { parley, agentA, moderator, owner, sessionId } = await several();
    expect(await parley.owner('owner-2').pauseAll({ reason })).toMatchObject({ paused: [] });
    const { pause_id } = await owner.pauseAll({ reason });
    const seen = [
      await agentA.call('read_messages', { after: 0 }),
      await agentA.call('read_session_state'),
      await moderator.call('get_session_events', {}),
    ];
    expect(JSON.stringify(seen)).toContain(reason);
    expect(JSON.stringify(seen)).not.toContain(pause_id);
    expect(await parley.owner('owner-2').resumeAll({ pause_id })).toEqual({ resumed: [], failed: [] });
    expect((await owner.view(sessionId)).state.status).toBe('PAUSED');
  });

  test('refuses an id of another form', async () => {
    const { owner } = await openSession();
    await expect(owner.resumeAll({ pause_id: 'a b' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(owner.pauseAll({ reason: '' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('is undone by another process', async () => {
    const { owner, storage, clock, active } = await several();
    const { pause_id } = await owner.pauseAll({ reason });
    const other = await createParley({ storage, clock });
    expect((await other.owner('owner-1').resumeAll({ pause_id })).resumed).toHaveLength(active.length);
    await other.close();
  });
});
