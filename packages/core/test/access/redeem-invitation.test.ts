import { describe, expect, test } from 'vitest';
import { type OpenedSession, openSession } from '../../src/testing/index.ts';

const DAY_MS = 86_400_000;

const invalid = {
  code: 'INVITATION_INVALID',
  status: 404,
  message: 'The invitation code is unknown, used, cancelled or expired, or its session ended.',
};

const invite = async ({ owner, sessionId }: OpenedSession, role: 'agent_a' | 'moderator' = 'agent_a') =>
  (await owner.invite(sessionId, { role })).code;

describe('redeem_invitation', () => {
  test('exchanges a code for a token of 24 hours', async () => {
    const session = await openSession();
    const { token, ...rest } = await session.parley.redeem({ code: await invite(session) });
    expect(token).toMatch(/^prt_[0-9A-Za-z]{71}$/);
    expect(rest).toEqual({
      token_prefix: token.slice(0, 10),
      expires_at: '2026-01-06T09:00:00.000Z',
      session_id: session.sessionId,
      role: 'agent_a',
      scopes: expect.arrayContaining(['read_task', 'ask_agent']),
      next_call: {
        tool: 'read_task',
        route: `GET sessions/${session.sessionId}/task`,
        header: 'Authorization: Bearer <token>',
      },
    });
    expect(rest.scopes).toHaveLength(15);
  });

  test('accepts a code with white space around it', async () => {
    const session = await openSession();
    const code = await invite(session);
    expect(await session.parley.redeem({ code: ` \t${code}\r\n` })).toMatchObject({ role: 'agent_a' });
    const padded = (await invite(session)).padStart(250, ' ').padEnd(500, '\n');
    expect(await session.parley.redeem({ code: padded })).toMatchObject({ role: 'agent_a' });
  });

  test('gives the moderator its permissions', async () => {
    const session = await openSession();
    const reply = await session.parley.redeem({ code: await invite(session, 'moderator') });
    expect(reply.permissions).toEqual(['ask', 'find', 'hold', 'review', 'recommend']);
    expect(reply.scopes).toBeUndefined();
  });

  test('contains the addresses of the service if the operator has set them', async () => {
    const publicUrls = { baseUrl: 'https://p.example/api/public/agent', mcpUrl: 'https://p.example/api/public/mcp' };
    const session = await openSession({ publicUrls });
    const reply = await session.parley.redeem({ code: await invite(session) });
    expect(reply).toMatchObject({ base_url: publicUrls.baseUrl, mcp_url: publicUrls.mcpUrl });
    expect(reply.next_call).toEqual({
      tool: 'read_task',
      route: `GET https://p.example/api/public/agent/sessions/${session.sessionId}/task`,
      mcp: 'https://p.example/api/public/mcp',
      header: 'Authorization: Bearer <token>',
    });
  });

  test('names the paths of the first call if the operator has set no addresses', async () => {
    const session = await openSession({ paths: { rest: '/api/public/agent', mcp: '/api/public/mcp' } });
    const reply = await session.parley.redeem({ code: await invite(session) });
    expect([reply.base_url, reply.mcp_url]).toEqual([undefined, undefined]);
    expect(reply.next_call).toMatchObject({
      route: `GET /api/public/agent/sessions/${session.sessionId}/task`,
      mcp: '/api/public/mcp',
    });
  });

  test('stores the client_type for the owner', async () => {
    const session = await openSession();
    await session.parley.redeem({ code: await invite(session), client_type: 'codex' });
    const { access } = await session.owner.view(session.sessionId);
    expect(access[0]).toMatchObject({ role: 'agent_a', token: { client_type: 'codex', revoked: false } });
  });

  test('revokes the earlier token of the role, and no other', async () => {
    const session = await openSession();
    const code = await invite(session);
    await expect(session.agentA.call('read_task')).resolves.toBeDefined();
    await session.parley.redeem({ code });
    await expect(session.agentA.call('read_task')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    await expect(session.agentB.call('read_task')).resolves.toBeDefined();
  });

  test('stores neither code nor token', async () => {
    const session = await openSession();
    const code = await invite(session);
    const { token } = await session.parley.redeem({ code });
    let log = '';
    for await (const line of session.owner.exportLog(session.sessionId)) log += line;
    expect(log).not.toContain(code.slice(5));
    expect(log).not.toContain(token.slice(4));
  });

  test('refuses a code that was used', async () => {
    const session = await openSession();
    const code = await invite(session);
    await session.parley.redeem({ code });
    await expect(session.parley.redeem({ code })).rejects.toMatchObject(invalid);
  });

  test('refuses a code that a newer one cancelled', async () => {
    const session = await openSession();
    const code = await invite(session);
    await invite(session);
    await expect(session.parley.redeem({ code })).rejects.toMatchObject(invalid);
  });

  test('refuses a code from its seventh day on, and not before', async () => {
    const session = await openSession();
    const [code, late] = [await invite(session), await invite(session, 'moderator')];
    session.clock.advance(7 * DAY_MS - 1);
    await session.parley.redeem({ code });
    session.clock.advance(1);
    await expect(session.parley.redeem({ code: late })).rejects.toMatchObject(invalid);
  });

  test('refuses an unknown and a malformed code with the same words', async () => {
    const session = await openSession();
    const code = await invite(session);
    const forged = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0');
    for (const faulty of [forged, 'pinv_', '', session.tokens.agent_a]) {
      await expect(session.parley.redeem({ code: faulty })).rejects.toMatchObject(invalid);
    }
  });

  test.each(['DRAFT', 'ACTIVE', 'PAUSED'])('works while the session is %s', async (status) => {
    const session = await openSession({ isStarted: status !== 'DRAFT' });
    const code = await invite(session);
    if (status === 'PAUSED') await session.owner.pause(session.sessionId, { reason: 'Lunch.' });
    await expect(session.parley.redeem({ code })).resolves.toMatchObject({ role: 'agent_a' });
  });

  test('is refused once the session has ended', async () => {
    const session = await openSession();
    const code = await invite(session);
    await session.owner.end(session.sessionId, { end_reason: 'CANCELLED' });
    await expect(session.parley.redeem({ code })).rejects.toMatchObject(invalid);
  });

  test('gives a token to only one of two simultaneous calls', async () => {
    const session = await openSession();
    const code = await invite(session);
    const results = await Promise.allSettled([session.parley.redeem({ code }), session.parley.redeem({ code })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('treats an empty client_type as absent', async () => {
    const session = await openSession();
    await session.parley.redeem({ code: await invite(session), client_type: '' });
    const { access } = await session.owner.view(session.sessionId);
    expect(access[0]?.token?.client_type).toBeNull();
  });

  test.each([' ', 'x'.repeat(101)])('refuses the client_type "%s"', async (client_type) => {
    const session = await openSession();
    const code = await invite(session);
    await expect(session.parley.redeem({ code, client_type })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(session.parley.redeem({ code })).resolves.toBeDefined();
  });
});

describe('a token', () => {
  test('expires 24 hours after redemption', async () => {
    const { agentA, clock } = await openSession();
    clock.advance(DAY_MS - 1);
    await expect(agentA.call('read_task')).resolves.toBeDefined();
    clock.advance(1);
    await expect(agentA.call('read_task')).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', status: 401 });
  });

  test('expires 24 hours after redemption by the clock, even if an event has a later time', async () => {
    const session = await openSession();
    const monthMs = 30 * DAY_MS;
    session.clock.advance(monthMs);
    await session.owner.pause(session.sessionId, { reason: 'The clock is wrong.' });
    session.clock.advance(-monthMs);
    const invitation = await session.owner.invite(session.sessionId, { role: 'agent_b' });
    const redeemed = await session.parley.redeem({ code: invitation.code });
    expect(invitation.expires_at).toBe('2026-01-12T09:00:00.000Z');
    expect(redeemed.expires_at).toBe('2026-01-06T09:00:00.000Z');
  });

  test('of another form or of an unknown agent is refused', async () => {
    const { parley, tokens } = await openSession();
    for (const token of ['', 'prt_', `${tokens.agent_a}x`, tokens.agent_a.replace('prt_', 'pinv_')]) {
      await expect(parley.agent(token).call('read_task')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  test('can still read after the end of the session', async () => {
    const { agentA, owner, sessionId } = await openSession();
    await owner.end(sessionId, { end_reason: 'COMPLETED' });
    await expect(agentA.call('read_messages')).resolves.toMatchObject({ more: false });
    await expect(agentA.call('list_decisions')).resolves.toEqual({ decisions: [] });
  });
});
