import { describe, expect, test } from 'vitest';
import { given, type OpenedSession, openSession } from '../../../src/testing/index.ts';
import { DRAFT } from '../../draft.ts';
import { building } from '../../story.ts';

const MINUTE = 60_000;

const waits = async ({ owner, sessionId }: Pick<OpenedSession, 'owner' | 'sessionId'>) =>
  (await owner.view(sessionId)).waits.filter(({ kind }) => kind === 'AGENT_ABSENT');

const agentOf = async ({ owner }: Pick<OpenedSession, 'owner'>, role: string) =>
  (await owner.overview()).sessions[0]?.agents.find((agent) => agent.role === role);

describe('an agent that is absent', () => {
  test('is named before the start, and after it until it has joined', async () => {
    const { owner, parley } = await openSession();
    const { session_id } = await owner.createSession(DRAFT);
    expect((await owner.view(session_id)).waits).toMatchObject([
      { kind: 'START', text: 'agent_a and agent_b have not joined: invite them, then start the session.' },
    ]);
    const startText = async () => (await owner.view(session_id)).waits[0]?.text;
    const { code } = await owner.invite(session_id, { role: 'agent_a' });
    expect(await startText()).toBe(
      'agent_a and agent_b have not joined: invite agent_b, send agent_a its invitation code, then start the session.',
    );
    await parley.redeem({ code });
    expect(await startText()).toBe('agent_b has not joined: invite it, then start the session.');
    await owner.invite(session_id, { role: 'agent_b' });
    expect(await startText()).toBe('agent_b has not joined: send it its invitation code, then start the session.');
    await owner.revoke(session_id, { role: 'agent_a' });
    await owner.invite(session_id, { role: 'agent_a' });
    expect(await startText()).toBe(
      'agent_a and agent_b have not joined: send them their invitation codes, then start the session.',
    );
    await owner.revoke(session_id, { role: 'agent_a' });
    const again = await owner.invite(session_id, { role: 'agent_a' });
    await parley.redeem({ code: again.code });
    await owner.revoke(session_id, { role: 'agent_b' });
    await owner.start(session_id);
    expect((await owner.view(session_id)).waits).toEqual([
      {
        wait_id: 'AGENT_ABSENT:agent_b',
        kind: 'AGENT_ABSENT',
        record: { type: 'agent', id: 'agent_b' },
        operation: 'invite',
        payload: { role: 'agent_b' },
        text: 'agent_b has not joined: invite it.',
        blocking: false,
        since: '2026-01-05T09:00:00.000Z',
        from: null,
        said: null,
      },
    ]);
    const joins = await owner.invite(session_id, { role: 'agent_b' });
    expect((await owner.view(session_id)).waits[0]?.text).toBe('agent_b has not joined: pass its invitation code on.');
    await parley.redeem({ code: joins.code });
    expect((await owner.view(session_id)).waits).toEqual([]);
  });

  test('is named once its token was revoked, and the owner has to act if the agent has the next step', async () => {
    const opened = await openSession();
    const { owner, sessionId, clock } = opened;
    clock.advance(MINUTE);
    await owner.revoke(sessionId, { role: 'agent_a' });
    clock.advance(MINUTE);
    expect(await waits(opened)).toMatchObject([
      {
        text: 'agent_a has no access, because its token was revoked: invite it again.',
        blocking: true,
        since: '2026-01-05T09:01:00.000Z',
      },
    ]);
    const { movers, since, state } = await owner.view(sessionId);
    expect({ movers, since }).toEqual({ movers: ['owner', 'agent_a'], since: '2026-01-05T09:01:00.000Z' });
    expect(state.instruction).toMatchObject({ tool: 'invite' });
    expect(await agentOf(opened, 'agent_a')).toMatchObject({ joined: true, revoked: true });
    await owner.invite(sessionId, { role: 'agent_a' });
    expect(await waits(opened)).toMatchObject([
      {
        text: 'agent_a has no access, because its token was revoked: pass its invitation code on.',
      },
    ]);
    clock.advance(8 * 24 * 60 * MINUTE);
    expect((await waits(opened))[0]?.text).toBe(
      'agent_a has no access, because its token was revoked: invite it again.',
    );
  });

  test('is named 30 minutes before its token expires, and after that', async () => {
    const opened = await openSession();
    const { clock, agentA, agentB } = opened;
    clock.advance(23 * 60 * MINUTE + 29 * MINUTE);
    await agentA.call('read_session_state');
    await agentB.call('read_session_state');
    expect(await waits(opened)).toEqual([]);
    clock.advance(2 * MINUTE);
    expect(await waits(opened)).toMatchObject([
      {
        wait_id: 'AGENT_ABSENT:agent_a',
        text: 'agent_a loses access soon, when its token ends: invite it again before that.',
        blocking: false,
        since: '2026-01-06T08:30:00.000Z',
      },
      { wait_id: 'AGENT_ABSENT:agent_b', blocking: false },
    ]);
    clock.advance(30 * MINUTE);
    expect(await waits(opened)).toMatchObject([
      {
        wait_id: 'AGENT_ABSENT:agent_a',
        text: 'agent_a has no access, because its token has expired: invite it again.',
        blocking: true,
      },
      { wait_id: 'AGENT_ABSENT:agent_b', blocking: false },
    ]);
  });

  test('is named once it is silent for 15 minutes with something to do, and no more once it calls', async () => {
    const opened = await openSession();
    const { clock, agentA } = opened;
    clock.advance(5 * MINUTE);
    await agentA.call('read_session_state');
    clock.advance(15 * MINUTE - 1);
    expect(await waits(opened)).toEqual([]);
    clock.advance(1);
    expect(await waits(opened)).toMatchObject([
      {
        wait_id: 'AGENT_ABSENT:agent_a',
        text: 'agent_a is silent, and has to post its turn: tell it to go on, or invite it again.',
        blocking: true,
        since: '2026-01-05T09:05:00.000Z',
      },
    ]);
    expect((await opened.owner.overview()).sessions[0]?.waits).toMatchObject([{ wait_id: 'AGENT_ABSENT:agent_a' }]);
    await agentA.call('read_session_state');
    expect(await waits(opened)).toEqual([]);
  });

  test('is not named while it waits, while it has nothing to do, or in a pause', async () => {
    const opened = await openSession();
    const { clock, owner, sessionId, agentB, parley } = opened;
    clock.advance(60 * MINUTE);
    expect(await waits(opened)).toMatchObject([{ wait_id: 'AGENT_ABSENT:agent_a' }]);
    await owner.pause(sessionId, { reason: 'Lunch.' });
    expect((await owner.view(sessionId)).waits).toMatchObject([{ kind: 'RESUME', since: '2026-01-05T10:00:00.000Z' }]);
    clock.advance(60 * MINUTE);
    expect(await waits(opened)).toEqual([]);
    await owner.resume(sessionId);
    const held = agentB.call('wait_for_my_turn', { wait: 20 });
    await expect.poll(() => parley.heldPolls()).toBe(1);
    await expect.poll(async () => (await agentOf(opened, 'agent_b'))?.waiting).toBe(true);
    clock.advance(20_000);
    await held;
    expect(await agentOf(opened, 'agent_b')).toMatchObject({
      waiting: false,
      last_call_at: '2026-01-05T11:00:20.000Z',
    });
  });

  test('is silent since its last call, also after a pause', async () => {
    const opened = await openSession();
    const { clock, owner, sessionId } = opened;
    clock.advance(47 * MINUTE);
    const before = await waits(opened);
    expect(before).toMatchObject([{ wait_id: 'AGENT_ABSENT:agent_a', since: '2026-01-05T09:00:00.000Z' }]);
    await owner.pauseAll({ reason: 'By mistake.' });
    clock.advance(MINUTE);
    await owner.resumeAll({});
    expect(await waits(opened)).toEqual(before);
    expect((await owner.view(sessionId)).since).toBe('2026-01-05T09:01:00.000Z');
  });

  test('is not silent for the time of a pause', async () => {
    const opened = await openSession();
    const { clock, owner, sessionId } = opened;
    clock.advance(10 * MINUTE);
    await owner.pause(sessionId, { reason: 'Lunch.' });
    clock.advance(60 * MINUTE);
    await owner.resume(sessionId);
    expect(await waits(opened)).toEqual([]);
    clock.advance(5 * MINUTE);
    expect(await waits(opened)).toMatchObject([{ since: '2026-01-05T09:00:00.000Z' }]);
  });

  test('counts as silent only after four times as long while it builds', () => {
    const absent = (silentAfterMs: number) =>
      given(building, { limits: { silentAfterMs } })
        .when('view', {}, 'owner')
        .reply()
        .waits.map(({ wait_id }) => wait_id);
    expect(absent(60_000)).toEqual([]);
    expect(absent(15_000)).toEqual(['AGENT_ABSENT:agent_a', 'AGENT_ABSENT:agent_b']);
  });
});

describe('the end of the rounds', () => {
  test('waits for the owner, who can add rounds', async () => {
    const { owner, sessionId, agentA, agentB, clock } = await openSession({ session: { round_limit: 1 } });
    await agentA.call('post_turn', { summary: 'One.' });
    expect((await owner.view(sessionId)).waits).toEqual([]);
    clock.advance(MINUTE);
    await agentB.call('post_turn', { summary: 'Two.' });
    const [wait] = (await owner.view(sessionId)).waits;
    expect(wait).toMatchObject({
      kind: 'ROUNDS_USED',
      operation: 'extendRounds',
      payload: { rounds: 5 },
      text: 'The only round is used, and no Contract Author is elected: add rounds, appoint the author, or let the agents elect one.',
      blocking: false,
      since: '2026-01-05T09:01:00.000Z',
    });
    await owner.pause(sessionId, { reason: 'Lunch.' });
    expect((await owner.view(sessionId)).waits).toMatchObject([
      { kind: 'RESUME' },
      { kind: 'ROUNDS_USED', blocking: false },
    ]);
    await owner.call(wait?.operation ?? '', sessionId, wait?.payload);
    expect((await owner.view(sessionId)).waits).toMatchObject([{ kind: 'RESUME' }]);
  });
});

describe('what an agent said in a wait', () => {
  test('is shown in full in the view, and by its first 200 characters in the overview', async () => {
    const { owner, sessionId, agentA } = await openSession();
    const text = `${'🦜'.repeat(300)}${'x'.repeat(1_600)}`;
    await agentA.call('post_turn', { summary: 'One.', questions: [{ text, to: 'owner', blocking: true }] });
    const [full] = (await owner.view(sessionId)).waits;
    const [brief] = (await owner.overview()).sessions[0]?.waits ?? [];
    expect(full).toMatchObject({ from: 'agent_a', said: text });
    expect(brief).toMatchObject({ from: 'agent_a', said: `${'🦜'.repeat(199)}…` });
  });

  test('is cut after a whole word in the overview', async () => {
    const { owner, agentA } = await openSession();
    const text = `${'word '.repeat(39)}separates the rest`;
    await agentA.call('post_turn', { summary: 'One.', questions: [{ text, to: 'owner', blocking: true }] });
    const [brief] = (await owner.overview()).sessions[0]?.waits ?? [];
    expect(brief?.said).toBe(`${'word '.repeat(38)}word…`);
  });
});
