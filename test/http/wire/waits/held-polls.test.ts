import { createMemoryStorage, createParley } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { at, type Heard } from '../../../support/exchange.ts';
import { type Inside, type Joined, joinAs, joinSession } from '../../../support/join-session.ts';
import { callTool, MCP, restPath } from '../../../support/requests.ts';
import { ask, post, type Service, startService } from '../../../support/service.ts';
import { replaceTokens } from '../support/sample-sessions.ts';
import { CHALLENGE, DAY_MS, MINUTE_MS } from '../support/specification.ts';
import { verdictOf } from '../support/targets.ts';

type Hold = (service: Service, joined: Joined, token: string) => Promise<Heard>;

/** Every way to hold a builder's poll for 25 seconds. */
const HOLDS: Readonly<Record<string, Hold>> = {
  'GET state': (service, { sessionId }, token) => ask(service, restPath(sessionId, 'state?wait=25'), token),
  wait_for_my_turn: (service, _joined, token) => post(service, token, callTool('wait_for_my_turn', { wait: 25 })),
  read_session_state: (service, _joined, token) => post(service, token, callTool('read_session_state', { wait: 25 })),
  'wait_for_my_turn by the path': (service, _joined, token) =>
    service.send({ method: 'POST', path: `${MCP}/${token}`, body: callTool('wait_for_my_turn', { wait: 25 }) }),
};

type End = (service: Service, joined: Joined) => unknown;

/** Calls that end agent_a's access during the poll, each with the expected code. */
const ENDS: Readonly<Record<string, readonly [code: string, end: End]>> = {
  revoked: ['TOKEN_REVOKED', ({ owner }, { sessionId }) => owner.revoke(sessionId, { role: 'agent_a' })],
  'replaced by a newer redemption': [
    'TOKEN_REVOKED',
    async ({ owner, parley }, { sessionId }) => joinAs({ owner, parley }, sessionId, 'agent_a'),
  ],
  expired: ['TOKEN_EXPIRED', ({ clock }) => clock.advance(4_000)],
};

/**
 * Joins a session in DRAFT, where no role has work. agent_a's token expires in 4 s, the other tokens a minute later. No
 * other timer of the service fires before agent_a's token expires.
 */
async function joinNearTheEnd(service: Service): Promise<Joined> {
  const { owner, parley, clock } = service;
  clock.advance(5_000);
  const { sessionId, tokens } = await joinSession(service, { isStarted: false });
  clock.advance(MINUTE_MS);
  const renew = async (role: 'agent_b' | 'moderator') => joinAs({ owner, parley }, sessionId, role);
  const renewed = { ...tokens, agent_b: await renew('agent_b'), moderator: await renew('moderator') };
  clock.advance(DAY_MS - MINUTE_MS - 4_000);
  return { sessionId, tokens: renewed };
}

const held = (service: Service, count: number) => expect.poll(() => service.parley.heldPolls()).toBe(count);

const cells = Object.entries(ENDS).flatMap(([what, [code, end]]) =>
  Object.entries(HOLDS).map(([how, hold]) => [what, how, { code, end, hold }] as const),
);

describe('a held poll whose token is', () => {
  test.each(cells)('%s ends at once with the error: %s', async (_what, how, { code, end, hold }) => {
    const service = await startService();
    const joined = await joinNearTheEnd(service);
    const poll = hold(service, joined, joined.tokens.agent_a);
    const others = [joined.tokens.agent_b, joined.tokens.moderator].map((token) =>
      ask(service, restPath(joined.sessionId, 'state?wait=25'), token),
    );
    await held(service, 3);
    await end(service, joined);
    const number = how === 'GET state' ? '' : '-32001 ';
    expect(verdictOf(await poll)).toBe(`401 ${number}${code} ${CHALLENGE}`);
    expect(service.parley.heldPolls()).toBe(2);
    await service.owner.direct(joined.sessionId, { targets: ['agent_a', 'agent_b'], text: 'Go on.' });
    const heard = await Promise.all(others);
    expect(heard.map(({ status, json }) => [status, at(json, 'timed_out')])).toEqual([
      [200, false],
      [200, false],
    ]);
    expect(service.failures).toEqual([]);
  });

  test.each(Object.entries(HOLDS))('of a session that is deleted ends at once as unknown: %s', async (how, hold) => {
    const service = await startService();
    const joined = await joinSession(service, { isStarted: false });
    const polls = [joined.tokens.agent_a, joined.tokens.agent_b].map((token) => hold(service, joined, token));
    await held(service, 2);
    await service.owner.deleteSession(joined.sessionId);
    const number = how === 'GET state' ? '' : '-32001 ';
    const expected = `401 ${number}UNAUTHORIZED ${CHALLENGE}`;
    expect((await Promise.all(polls)).map(verdictOf)).toEqual([expected, expected]);
    expect(service.failures).toEqual([]);
  });

  test('of another session is still held', async () => {
    const service = await startService();
    const [here, there] = [
      await joinSession(service, { isStarted: false }),
      await joinSession(service, { isStarted: false }),
    ];
    const poll = ask(service, restPath(there.sessionId, 'state?wait=25'), there.tokens.agent_a);
    await held(service, 1);
    for (const role of ['agent_a', 'agent_b', 'moderator'] as const)
      await service.owner.revoke(here.sessionId, { role });
    await service.owner.deleteSession(here.sessionId);
    expect(service.parley.heldPolls()).toBe(1);
    service.clock.advance(25_000);
    expect(at((await poll).json, 'timed_out')).toBe(true);
  });
});

/** Changes that another process makes to a session while this process holds a poll of the session. */
const ELSEWHERE: Readonly<
  Record<string, readonly [code: string, end: (elsewhere: Inside, joined: Joined) => unknown]>
> = {
  revoked: ['TOKEN_REVOKED', ({ owner }, { sessionId }) => owner.revoke(sessionId, { role: 'agent_a' })],
  replaced: ['TOKEN_REVOKED', replaceTokens],
  deleted: ['UNAUTHORIZED', ({ owner }, { sessionId }) => owner.deleteSession(sessionId)],
};

describe('a held poll of a token that another process has', () => {
  test.each(Object.entries(ELSEWHERE))('%s ends at once over both transports', async (_what, [code, end]) => {
    const storage = createMemoryStorage();
    const service = await startService({ storage });
    const beside = await createParley({ storage: storage.sibling(), clock: service.clock });
    const joined = await joinSession(service, { isStarted: false });
    const polls = Object.values(HOLDS).map((hold) => hold(service, joined, joined.tokens.agent_a));
    await held(service, 4);
    await end({ parley: beside, owner: beside.owner('team') }, joined);
    const overMcp = `401 -32001 ${code} ${CHALLENGE}`;
    expect((await Promise.all(polls)).map(verdictOf)).toEqual([`401 ${code} ${CHALLENGE}`, overMcp, overMcp, overMcp]);
    await beside.close();
  });
});

describe('the answer to a held call', () => {
  test('whose token was revoked has the id of the call', async () => {
    const service = await startService();
    const joined = await joinSession(service, { isStarted: false });
    const poll = post(service, joined.tokens.agent_a, callTool('wait_for_my_turn', { wait: 25 }, 'call-7'));
    await held(service, 1);
    await service.owner.revoke(joined.sessionId, { role: 'agent_a' });
    expect((await poll).json).toMatchObject({ jsonrpc: '2.0', id: 'call-7', error: { code: -32001 } });
  });

  test('comes in a batch beside the calls before it, and what follows is refused in its place', async () => {
    const service = await startService();
    const joined = await joinSession(service, { isStarted: false });
    const batch = [
      callTool('read_task', {}, 1),
      callTool('wait_for_my_turn', { wait: 25 }, 2),
      callTool('read_task', {}, 3),
    ];
    const poll = post(service, joined.tokens.agent_a, `[${batch}]`);
    await held(service, 1);
    await service.owner.revoke(joined.sessionId, { role: 'agent_a' });
    expect((await poll).json).toMatchObject([
      { id: 1, result: { isError: false } },
      { id: 2, error: { code: -32001, data: { error: 'TOKEN_REVOKED' } } },
      { id: 3, error: { code: -32001, data: { error: 'TOKEN_REVOKED' } } },
    ]);
  });
});
