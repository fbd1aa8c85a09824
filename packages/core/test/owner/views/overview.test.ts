import { describe, expect, test } from 'vitest';
import { createMemoryStorage } from '../../../src/kernel/storage/memory-storage.ts';
import type { Storage } from '../../../src/kernel/storage/storage.ts';
import { type OpenedSession, openSession } from '../../../src/testing/index.ts';
import { DRAFT } from '../../draft.ts';

/** Sessions of one owner, created one second apart; the first is started. */
async function several(count: number): Promise<OpenedSession & { readonly ids: readonly string[] }> {
  const session = await openSession();
  const ids = [session.sessionId];
  for (let made = 1; made < count; made += 1) {
    session.clock.advance(1_000);
    ids.unshift((await session.owner.createSession({ ...DRAFT, title: `No. ${made + 1}` })).session_id);
  }
  return { ...session, ids };
}

const idsOf = ({ sessions }: { readonly sessions: readonly { readonly session_id: string }[] }): string[] =>
  sessions.map(({ session_id }) => session_id);

describe('the tasks of an owner that do not all fit into an answer', () => {
  test('leave out no blocking task in favour of the questions of one agent', async () => {
    const { owner, agentA, agentB } = await openSession();
    const questions = Array.from({ length: 50 }, (_, index) => ({ text: `Question ${index}?`, to: 'owner' as const }));
    await agentA.call('post_turn', { summary: 'Many questions.', questions });
    await agentB.call('post_turn', {
      summary: 'One question.',
      questions: [{ text: 'Which port?', to: 'owner', blocking: true }],
    });
    const [glance] = (await owner.overview()).sessions;
    expect(glance?.left_out?.count).toBeGreaterThan(0);
    expect(glance?.waits.filter(({ blocking }) => blocking).map(({ wait_id }) => wait_id)).toEqual(['QUESTION:q_51']);
  });
});

describe('overview', () => {
  test('shows until when the unused invitation code of an agent is valid', async () => {
    const { owner, sessionId } = await openSession();
    const codes = async () => (await owner.overview()).sessions[0]?.agents.map((agent) => agent.code_expires_at);
    expect(await codes()).toEqual([null, null, null]);
    await owner.invite(sessionId, { role: 'agent_b' });
    expect(await codes()).toEqual([null, '2026-01-12T09:00:00.000Z', null]);
    await owner.revoke(sessionId, { role: 'agent_b' });
    expect(await codes()).toEqual([null, null, null]);
  });

  test('shows when each agent last wrote, and since when it has had a step to take', async () => {
    const { owner, sessionId, agentA, agentB, clock } = await openSession();
    clock.advance(60_000);
    await agentA.call('post_turn', { summary: 'A turn.' });
    clock.advance(7 * 3_600_000);
    await agentB.call('read_session_state');
    const due = { wrote_at: '2026-01-05T09:00:00.000Z', due_since: '2026-01-05T09:01:00.000Z' };
    const [glance] = (await owner.overview()).sessions;
    expect(glance?.agents).toMatchObject([{ wrote_at: '2026-01-05T09:01:00.000Z' }, due, {}]);
    expect(glance?.agents[0]).not.toHaveProperty('due_since');
    expect((await owner.view(sessionId)).agents[1]).toMatchObject({ ...due, last_call_at: '2026-01-05T16:01:00.000Z' });
  });

  test('shows for each session the same as its view', async () => {
    const { owner, sessionId } = await openSession();
    const { sessions } = await owner.overview();
    const { movers, duties, waits, title, created_at, head } = await owner.view(sessionId);
    expect(sessions).toMatchObject([{ movers, duties, waits, title, created_at, events: head.seq }]);
  });

  test('cuts a long duty', async () => {
    const { owner, sessionId } = await openSession();
    await owner.assignAction(sessionId, { target: 'agent_a', text: 'x'.repeat(2_000) });
    const [glance] = (await owner.overview()).sessions;
    expect(glance?.duties).toEqual([
      { role: 'agent_a', text: `act_1: ${'x'.repeat(192)}…`, since: '2026-01-05T09:00:00.000Z' },
    ]);
    expect((await owner.view(sessionId)).duties).toEqual([{ role: 'agent_a', text: `act_1: ${'x'.repeat(2_000)}` }]);
  });

  test('returns pages, newest first, without a gap or a repetition', async () => {
    const { owner, ids } = await several(5);
    const first = await owner.overview({ limit: 2 });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first.next_after).toBe(ids[1]);
    const second = await owner.overview({ limit: 2, after: ids[1] ?? '' });
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    expect(await owner.overview({ limit: 2, after: ids[3] ?? '' })).toMatchObject({
      sessions: [{ session_id: ids[4] }],
      next_after: null,
    });
  });

  test('returns 50 sessions per page by default, and at most 100', async () => {
    const { owner } = await several(51);
    const page = await owner.overview();
    expect(page.sessions).toHaveLength(50);
    expect(page.next_after).toBe(page.sessions.at(-1)?.session_id);
    expect((await owner.overview({ limit: 100 })).sessions).toHaveLength(51);
    await expect(owner.overview({ limit: 101 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(owner.overview({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(owner.overview({ page: 2 } as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('shows no session of another owner, with any cursor', async () => {
    const { parley, sessionId, ids } = await several(3);
    const other = parley.owner('owner-2');
    expect(await other.overview()).toEqual({ sessions: [], next_after: null });
    expect(await other.overview({ after: ids[0] ?? '' })).toEqual({ sessions: [], next_after: null });
    const { session_id } = await other.createSession(DRAFT);
    expect(idsOf(await other.overview())).toEqual([session_id]);
    expect(idsOf(await parley.owner('owner-1').overview())).not.toContain(session_id);
    expect(idsOf(await other.overview({ after: sessionId }))).not.toContain(sessionId);
  });

  test('leaves a deleted session out, also where it was the cursor', async () => {
    const { owner, ids } = await several(3);
    await owner.deleteSession(ids[1] ?? '');
    expect(idsOf(await owner.overview())).toEqual([ids[0], ids[2]]);
    expect(await owner.overview({ limit: 1 })).toMatchObject({ next_after: ids[0] });
    expect(idsOf(await owner.overview({ after: ids[0] ?? '' }))).toEqual([ids[2]]);
    const after = await owner.overview({ after: ids[1] ?? '' });
    expect(idsOf(after)).not.toContain(ids[1]);
  });

  test('leaves out a session that is deleted before it is folded', async () => {
    const memory = createMemoryStorage();
    const gone: string[] = [];
    const list: Storage['list'] = async (ownerId, page) => {
      const listed = await memory.list(ownerId, page);
      for (const id of gone) await memory.delete(id);
      return listed;
    };
    const { owner, sessionId } = await openSession({ storage: { ...memory, list } });
    const { session_id } = await owner.createSession(DRAFT);
    expect(idsOf(await owner.overview())).toHaveLength(2);
    gone.push(session_id);
    expect(idsOf(await owner.overview())).toEqual([sessionId]);
  });

  test('contains ended sessions, without tasks', async () => {
    const { owner, sessionId } = await openSession();
    await owner.end(sessionId, { end_reason: 'CANCELLED' });
    expect((await owner.overview()).sessions).toMatchObject([{ status: 'ENDED', movers: [], waits: [] }]);
  });
});
