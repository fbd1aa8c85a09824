import { describe, expect, test } from 'vitest';
import { createParley } from '../../src/index.ts';
import { given, type OpenedSession, openSession } from '../../src/testing/index.ts';
import { turnPosted } from '../past.ts';

const turn = {
  summary: 'We store in PostgreSQL.',
  request_id: 'turn-1',
  questions: ['Which port?'],
  proposed_decisions: [{ topic: 'Store', position: 'PostgreSQL' }],
};

const post = async ({ agentA }: Pick<OpenedSession, 'agentA'>, input = turn): Promise<string> =>
  JSON.stringify(await agentA.call('post_turn', input));

const rest = (session: OpenedSession, idempotencyKeys: readonly string[], body: object) =>
  session.parley.callRoute({
    method: 'POST',
    path: `/sessions/${session.sessionId}/turns`,
    query: new URLSearchParams(),
    authorization: [`Bearer ${session.tokens.agent_a}`],
    address: '127.0.0.1',
    idempotencyKeys,
    readBody: async () => JSON.stringify(body),
  });

describe('post_turn with a request_id', () => {
  test('gives the first answer again, byte for byte, and stores nothing', async () => {
    const session = await openSession();
    const first = await post(session);
    const { head } = await session.owner.view(session.sessionId);
    session.clock.advance(60_000);
    expect(await post(session)).toBe(first);
    expect((await session.owner.view(session.sessionId)).head).toEqual(head);
  });

  test('gives it after later turns, in pause, at the end and on a fresh process', async () => {
    const session = await openSession();
    const { owner, sessionId, agentB, clock, storage, tokens } = session;
    const first = await post(session);
    await agentB.call('post_turn', { summary: 'Agreed.', answers: [{ question_id: 'q_1', answer: '5432' }] });
    expect(await post(session)).toBe(first);
    await owner.pause(sessionId, { reason: 'Lunch.' });
    expect(await post(session)).toBe(first);
    await owner.end(sessionId, { end_reason: 'COMPLETED' });
    expect(await post(session)).toBe(first);
    const fresh = await createParley({ storage, clock });
    expect(await post({ agentA: fresh.agent(tokens.agent_a) })).toBe(first);
    await fresh.close();
  });

  test('gives it to the next token of the role', async () => {
    const session = await openSession();
    const { owner, sessionId, parley } = session;
    const first = await post(session);
    const { code } = await owner.invite(sessionId, { role: 'agent_a' });
    const { token } = await parley.redeem({ code });
    expect(await post({ agentA: parley.agent(token) })).toBe(first);
  });

  test('gives it over REST too, by the body or by the header, quoted or not', async () => {
    const session = await openSession();
    const { request_id, ...payload } = turn;
    const first = await post(session);
    for (const [keys, body] of [
      [[], turn],
      [[request_id], payload],
      [[`"${request_id}"`], payload],
      [[request_id], turn],
    ] as const) {
      expect(await rest(session, keys, body)).toEqual({ status: 200, body: first, headers: {}, mayCompress: false });
    }
  });

  test('refuses a header that differs from the body', async () => {
    const session = await openSession();
    const { status, body } = await rest(session, ['another'], turn);
    expect(status).toBe(422);
    expect(JSON.parse(body)).toMatchObject({ error: 'INVALID_INPUT', issues: [{ path: 'request_id' }] });
  });
});

describe('a repeated key of post_turn', () => {
  const idempotency = { key: 'turn-1', fingerprint: 'of another payload' };
  const past = [turnPosted('agent_a', 0, { idempotency })];

  test('is refused with another payload', () => {
    given(past).when('post_turn', turn, 'agent_a').thenFails('IDEMPOTENCY_CONFLICT');
  });

  test('is refused with another payload even if the session has ended', () => {
    const ended = { kind: 'session.ended', actor: 'owner', data: { end_reason: 'COMPLETED' } } as const;
    given([...past, ended])
      .when('post_turn', turn, 'agent_a')
      .thenFails('IDEMPOTENCY_CONFLICT');
  });

  test('has no meaning for the other agent', () => {
    const reply = given(past).when('post_turn', { summary: 'Mine.', request_id: 'turn-1' }, 'agent_b').reply();
    expect(reply).toMatchObject({ turn_index: 1, message_id: 7 });
  });

  test('does not count as a key if it is empty', () => {
    given()
      .when('post_turn', { summary: 'x', request_id: '' }, 'agent_a')
      .thenEvents(turnPosted('agent_a', 0, { summary: 'x' }));
  });

  test.each(['with space', 'ä', 'x'.repeat(201)])('is refused in the form "%s"', (request_id) => {
    given().when('post_turn', { summary: 'x', request_id }, 'agent_a').thenFails('INVALID_INPUT');
  });

  test('shows neither key nor fingerprint in the transcript', () => {
    const { messages } = given(past).when('read_messages', {}, 'agent_b').reply();
    expect(JSON.stringify(messages)).not.toMatch(/idempotency|turn-1|fingerprint/);
  });
});
