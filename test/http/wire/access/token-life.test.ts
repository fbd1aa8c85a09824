import { describe, expect, test } from 'vitest';
import { at, type Heard } from '../../../support/exchange.ts';
import { invite, type Joined, joinAs, joinSession } from '../../../support/join-session.ts';
import { callTool, MCP, REST, restPath, rpc } from '../../../support/requests.ts';
import { ask, post, type Service, startService } from '../../../support/service.ts';
import { CHALLENGE, DAY_MS, FIFTEEN_SCOPES } from '../support/specification.ts';
import { verdictOf } from '../support/targets.ts';

const redeem = ({ send }: Service, code: string, extra = {}): Promise<Heard> =>
  send({ method: 'POST', path: `${REST}/invitations/redeem`, body: JSON.stringify({ code, ...extra }) });

/** The answers to a token over REST, over MCP with the token in the header, and over MCP with the token in the path. */
async function verdicts(service: Service, { sessionId }: Pick<Joined, 'sessionId'>, token: string): Promise<string[]> {
  const heard = [
    await ask(service, restPath(sessionId, 'state'), token),
    await post(service, token, rpc('ping')),
    await service.send({ method: 'POST', path: `${MCP}/${token}`, body: callTool('read_task') }),
  ];
  return heard.map(verdictOf);
}

const refused = (code: string): string[] => {
  const overMcp = `401 -32001 ${code} ${CHALLENGE}`;
  return [`401 ${code} ${CHALLENGE}`, overMcp, overMcp];
};
const SERVED = ['200', '200', '200'];

describe('a redeem answer', () => {
  test('holds the token, its first 10 characters, its end in 24 hours, the session, the role and the 15 scopes', async () => {
    const service = await startService();
    const { sessionId } = await joinSession(service);
    const { status, json, headers } = await redeem(service, await invite(service.owner, sessionId, 'agent_a'), {
      client_type: 'curl',
    });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(json).toEqual({
      token: expect.stringMatching(/^prt_[0-9A-Za-z]{16,196}$/),
      token_prefix: String(at(json, 'token')).slice(0, 10),
      expires_at: '2026-01-06T09:00:00.000Z',
      session_id: sessionId,
      role: 'agent_a',
      scopes: expect.arrayContaining([...FIFTEEN_SCOPES]),
      next_call: {
        tool: 'read_task',
        route: `GET sessions/${sessionId}/task`,
        header: 'Authorization: Bearer <token>',
      },
    });
    expect(at(json, 'scopes', 'length')).toBe(15);
  });

  test('holds the permissions of a moderator in place of scopes, and the addresses of the service where it knows them', async () => {
    const publicUrls = { baseUrl: `https://parley.example${REST}`, mcpUrl: `https://parley.example${MCP}` };
    const service = await startService({ publicUrls });
    const { sessionId } = await joinSession(service);
    const { json } = await redeem(service, await invite(service.owner, sessionId, 'moderator'));
    expect(at(json, 'scopes')).toBeUndefined();
    expect(at(json, 'permissions')).toEqual(['ask', 'find', 'hold', 'review', 'recommend']);
    expect([at(json, 'base_url'), at(json, 'mcp_url')]).toEqual([publicUrls.baseUrl, publicUrls.mcpUrl]);
  });

  test('of a code that is used, cancelled, expired, cut or never was is one and the same 404', async () => {
    const service = await startService();
    const { sessionId } = await joinSession(service);
    const expired = await invite(service.owner, (await joinSession(service)).sessionId, 'agent_a');
    service.clock.advance(7 * DAY_MS);
    const cancelled = await invite(service.owner, sessionId, 'agent_a');
    const used = await invite(service.owner, sessionId, 'agent_a');
    expect((await redeem(service, used)).status).toBe(200);
    const bodies = [used, cancelled, expired, used.slice(0, -1), 'pinv_x', ''].map(
      async (code) => await redeem(service, code),
    );
    const heard = await Promise.all(bodies);
    expect(new Set(heard.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(heard[0] && verdictOf(heard[0])).toBe('404 INVITATION_INVALID');
  });
});

describe('a token', () => {
  test('works 24 hours less a millisecond after its redemption, and not at 24 hours', async () => {
    const service = await startService();
    const joined = await joinSession(service);
    service.clock.advance(DAY_MS - 1);
    for (const token of Object.values(joined.tokens)) expect(await verdicts(service, joined, token)).toEqual(SERVED);
    service.clock.advance(1);
    for (const token of Object.values(joined.tokens))
      expect(await verdicts(service, joined, token)).toEqual(refused('TOKEN_EXPIRED'));
  });

  test('is not made longer by use', async () => {
    const service = await startService();
    const joined = await joinSession(service);
    for (let hour = 0; hour < 24; hour += 1) {
      expect(await verdicts(service, joined, joined.tokens.agent_a)).toEqual(SERVED);
      service.clock.advance(DAY_MS / 24);
    }
    expect(await verdicts(service, joined, joined.tokens.agent_a)).toEqual(refused('TOKEN_EXPIRED'));
  });
});

/** The texts of messages, decisions and task, as agent_b reads them. */
async function readAll(service: Service, { sessionId, tokens }: Joined): Promise<readonly string[]> {
  const routes = ['messages', 'decisions', 'task'];
  return await Promise.all(
    routes.map(async (route) => (await ask(service, restPath(sessionId, route), tokens.agent_b)).text),
  );
}

describe.each(['while the token works', 'after it expired'])('a second redemption %s', (when) => {
  test('replaces the token of this role, leaves the other agent alone, and keeps the transcript', async () => {
    const service = await startService();
    const joined = await joinSession(service);
    const { sessionId, tokens } = joined;
    const agentA = service.parley.agent(tokens.agent_a);
    await agentA.call('post_turn', { summary: 'Offsets hurt.', questions: ['Is it indexed?'] });
    await agentA.call('submit_decision', { topic: 'Cursor', position: 'Ids.' });
    if (when === 'after it expired') {
      service.clock.advance(DAY_MS - 1);
      const token = await joinAs(service, sessionId, 'agent_b');
      Object.assign(tokens, { agent_b: token });
      service.clock.advance(1);
    }
    const before = await readAll(service, joined);
    const code = await invite(service.owner, sessionId, 'agent_a');
    expect(await verdicts(service, joined, tokens.agent_a)).toEqual(
      when === 'after it expired' ? refused('TOKEN_EXPIRED') : SERVED,
    );
    const token = String(at((await redeem(service, code)).json, 'token'));
    expect(await verdicts(service, joined, tokens.agent_a)).toEqual(refused('TOKEN_REVOKED'));
    expect(await verdicts(service, joined, tokens.agent_b)).toEqual(SERVED);
    expect(await verdicts(service, joined, token)).toEqual(SERVED);
    expect(await readAll(service, joined)).toEqual(before);
    const state = await ask(service, restPath(sessionId, 'state'), token);
    expect([at(state.json, 'your_role'), at(state.json, 'turn_index')]).toEqual(['agent_a', 1]);
  });
});

test('revocation by the owner ends one role alone', async () => {
  const service = await startService();
  const joined = await joinSession(service);
  await service.owner.revoke(joined.sessionId, { role: 'agent_b' });
  expect(await verdicts(service, joined, joined.tokens.agent_b)).toEqual(refused('TOKEN_REVOKED'));
  expect(await verdicts(service, joined, joined.tokens.agent_a)).toEqual(SERVED);
  expect(await verdicts(service, joined, joined.tokens.moderator)).toEqual(SERVED);
});
