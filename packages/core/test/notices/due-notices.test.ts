import { describe, expect, test } from 'vitest';
import { type OpenedSession, openSession } from '../../src/testing/index.ts';
import { held } from '../held.ts';
import { certify, due, holdAll, judge, submitContract, tell } from './told.ts';

async function glance({ owner, sessionId }: OpenedSession) {
  const { sessions } = await owner.overview();
  return sessions.find(({ session_id }) => session_id === sessionId) ?? { events: 0 };
}

const disputes = async ({ owner, sessionId }: OpenedSession): Promise<string[]> =>
  (await owner.view(sessionId)).waits.flatMap(({ kind, wait_id, blocking }) =>
    kind === 'DISPUTE' ? [`${wait_id} ${blocking}`] : [],
  );

describe('the due notices', () => {
  test('do not include what the owner itself did', async () => {
    const draft = await openSession({ isStarted: false });
    expect(await due(draft)).toEqual([]);
    await draft.owner.start(draft.sessionId);
    await draft.owner.pause(draft.sessionId, { reason: 'Lunch.' });
    expect((await draft.owner.view(draft.sessionId)).waits).toMatchObject([{ kind: 'RESUME' }]);
    expect(await due(draft)).toEqual([]);
  });

  test('include a question that blocks, and no question that does not', async () => {
    const session = await openSession();
    const questions = [
      { text: 'Which port?', to: 'owner', blocking: true },
      { text: 'Which colour?', to: 'owner' },
    ] as const;
    await session.agentA.call('post_turn', { summary: 'A turn.', questions: [...questions] });
    expect(await session.owner.dueNotices(session.sessionId)).toEqual([
      {
        notice_id: `${session.sessionId}:QUESTION:q_1:1`,
        session_id: session.sessionId,
        wait_id: 'QUESTION:q_1',
        number: 1,
        at: '2026-01-05T09:00:00.000Z',
        title: 'Orders and stock',
        kind: 'QUESTION',
        record: { type: 'question', id: 'q_1' },
        text: 'Answer question q_1, which agent_a asked.',
        blocking: true,
      },
    ]);
  });

  test('include each thing once: question, recommendation, hold and certified revision', async () => {
    const session = await openSession();
    await certify(session);
    expect(await due(session)).toEqual(['APPROVAL:r_1:1']);
    await tell(session);
    expect(await due(session)).toEqual([]);
    await session.moderator.call('recommend_to_owner', { recommendation: 'APPROVE', text: 'Do it.' });
    await holdAll(session);
    expect(await due(session)).toEqual(['RECOMMENDATION:rec_1:1', 'HOLD:h_1:1']);
    await tell(session);
    expect(await due(session)).toEqual([]);
  });

  test('include a dispute once it blocks, and no dispute while the agents have other steps', async () => {
    const session = await openSession();
    const { agentA, agentB, clock } = session;
    await agentA.call('post_turn', { summary: 'A turn.' });
    await agentB.call('post_turn', { summary: 'A turn.' });
    await certify(session);
    const rejects = async (finding_id: string) => {
      clock.advance(1_000);
      await agentA.call('respond_finding', { finding_id, decision: 'REJECT', response: 'It is there.' });
      clock.advance(1_000);
    };
    await agentB.call('submit_finding', { text: 'No error for an unknown article.' });
    await rejects('f_1');
    expect(await disputes(session)).toEqual([]);
    await agentB.call('submit_finding', { text: 'No limit of the quantity.' });
    expect(await disputes(session)).toEqual(['DISPUTE:f_1 false']);
    expect(await due(session)).toEqual([]);
    await rejects('f_2');
    await agentB.call('post_evidence', { evidence: [{ kind: 'file', reference: 'src/orders.ts' }] });
    expect(await disputes(session)).toEqual(['DISPUTE:f_1 true', 'DISPUTE:f_2 true']);
    expect(await due(session)).toEqual(['DISPUTE:f_1:1', 'DISPUTE:f_2:1']);
    await tell(session);
    expect(await due(session)).toEqual([]);
  });

  test('are empty once the session has ended', async () => {
    const session = await openSession();
    await certify(session);
    await session.owner.end(session.sessionId, { end_reason: 'CANCELLED' });
    expect(await due(session)).toEqual([]);
  });

  test('are not shown to another owner', async () => {
    const { parley, sessionId } = await openSession();
    const other = parley.owner('owner-2');
    const unknown = { code: 'UNKNOWN_RECORD' };
    await expect(other.dueNotices(sessionId)).rejects.toMatchObject(unknown);
    const delivery = { wait_id: 'APPROVAL:r_1', number: 1, unbroken: true };
    await expect(other.recordNotice(sessionId, delivery)).rejects.toMatchObject(unknown);
  });

  test('have ids that a header accepts, without a full stop', async () => {
    const session = await openSession();
    await certify(session);
    for (const { notice_id } of await session.owner.dueNotices(session.sessionId))
      expect(notice_id).toMatch(/^[A-Za-z0-9]{22}:[A-Z_]+:[A-Za-z0-9_]+:[0-9]+$/);
  });
});

describe('a task that waits again', () => {
  test('is due again with another id: a revision that lost its certification and got it again', async () => {
    const session = await openSession();
    await certify(session);
    await tell(session);
    await judge(session, 'agentB', 'REQUEST_CHANGES');
    expect(await due(session)).toEqual([]);
    await judge(session, 'agentB');
    expect(await due(session)).toEqual(['APPROVAL:r_1:2']);
    await tell(session);
    expect(await due(session)).toEqual([]);
  });

  test('keeps its id as long as no delivery is recorded', async () => {
    const session = await openSession();
    await certify(session);
    await judge(session, 'agentB', 'REQUEST_CHANGES');
    await judge(session, 'agentB');
    expect(await due(session)).toEqual(['APPROVAL:r_1:1']);
  });

  test('is due at once if it had ended during the delivery of its notice', async () => {
    const session = await openSession();
    await certify(session);
    const [notice] = await session.owner.dueNotices(session.sessionId);
    await judge(session, 'agentB', 'REQUEST_CHANGES');
    await judge(session, 'agentB');
    expect(notice).toMatchObject({ wait_id: 'APPROVAL:r_1', number: 1 });
    await tell(session, false);
    expect(await due(session)).toEqual(['APPROVAL:r_1:2']);
  });

  test('that is a hold is due when the hold is opened, and again once only the hold stops the session', async () => {
    const session = await openSession();
    await submitContract(session);
    await session.owner.stopModerator(session.sessionId);
    expect(await due(session)).toEqual([]);
    await session.owner.restoreModerator(session.sessionId);
    await holdAll(session);
    await tell(session);
    await session.owner.stopModerator(session.sessionId);
    expect(await due(session)).toEqual(['BLOCKER:h_1:1']);
    await tell(session);
    await session.owner.restoreModerator(session.sessionId);
    expect(await due(session)).toEqual([]);
    await session.owner.stopModerator(session.sessionId);
    expect(await due(session)).toEqual(['BLOCKER:h_1:2']);
  });
});

describe('recording a delivery', () => {
  test('is one event that nobody but the owner sees, and that moves no cursor', async () => {
    const session = await openSession();
    await certify(session);
    const before = await session.agentA.call('read_session_state', {});
    const { head } = await session.moderator.call('get_session_events', {});
    await tell(session);
    let last = '{}';
    for await (const line of session.owner.exportLog(session.sessionId)) last = line;
    expect(JSON.parse(JSON.parse(last).event)).toMatchObject({
      kind: 'notice.delivered',
      actor: 'system',
      data: { wait_id: 'APPROVAL:r_1', number: 1, unbroken: true },
    });
    expect(await session.agentA.call('read_session_state', {})).toEqual(before);
    expect((await session.moderator.call('get_session_events', {})).head).toBe(head);
    expect((await session.owner.transcript(session.sessionId)).messages.map(({ kind }) => kind)).not.toContain(
      'notice.delivered',
    );
  });

  test('is stored once, whoever is first', async () => {
    const session = await openSession();
    await certify(session);
    const delivery = { wait_id: 'APPROVAL:r_1', number: 1, unbroken: true };
    const { events } = await glance(session);
    await Promise.all([1, 2, 3].map(() => session.owner.recordNotice(session.sessionId, delivery)));
    await session.owner.recordNotice(session.sessionId, { ...delivery, unbroken: false });
    expect((await glance(session)).events).toBe(events + 1);
    expect(await due(session)).toEqual([]);
  });

  test('works for a task that no longer waits, and after the end of the session', async () => {
    const session = await openSession();
    await certify(session);
    await session.owner.end(session.sessionId, { end_reason: 'CANCELLED' });
    const delivery = { wait_id: 'APPROVAL:r_1', number: 1, unbroken: true };
    await session.owner.recordNotice(session.sessionId, delivery);
    expect(await due(session)).toEqual([]);
  });

  test('ends no long-poll', async () => {
    const session = await openSession();
    await certify(session);
    const poll = session.agentB.call('wait_for_my_turn', { wait: 25 });
    const ended = poll.then(({ timed_out }) => timed_out);
    await tell(session);
    await held(session);
    session.clock.advance(25_000);
    expect(await ended).toBe(true);
  });
});

describe('watchNotices', () => {
  test('calls the listener after each write of this process to a session of this owner, until the listener is removed', async () => {
    const session = await openSession();
    const heard: string[] = [];
    const stop = session.owner.watchNotices((sessionId, read) => {
      heard.push(`${sessionId === session.sessionId} ${read().map(({ wait_id }) => wait_id)}`);
    });
    session.parley.owner('owner-2').watchNotices(() => heard.push('owner-2'));
    const questions = [{ text: 'Which port?', to: 'owner', blocking: true }] as const;
    await session.agentA.call('post_turn', { summary: 'A turn.', questions: [...questions] });
    await session.owner.answerQuestion(session.sessionId, { question_id: 'q_1', text: 'One.' });
    stop();
    await session.agentB.call('post_turn', { summary: 'A turn.' });
    expect(heard).toEqual(['true QUESTION:q_1', 'true ']);
  });
});
