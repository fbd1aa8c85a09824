import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Heard, Sent } from '../../../support/exchange.ts';
import { type Joined, joinSession } from '../../../support/join-session.ts';
import { bearer, callTool, MCP, REST, restPath, rpc } from '../../../support/requests.ts';
import { openService, type Service } from '../../../support/service.ts';

let service: Service;
let joined: Joined;

beforeAll(async () => {
  service = await openService();
  joined = await joinSession(service);
});
afterAll(() => service.close());

const HOSTS = [
  'parley.example',
  'agents.example.org:8443',
  'PARLEY.Example.',
  '[2001:db8::1]:80',
  '192.0.2.1',
  'xn--prly-1oa.example',
  '',
];

const REQUESTS: Readonly<Record<string, () => Sent>> = {
  health: () => ({ method: 'GET', path: `${REST}/health` }),
  'a route': () => ({
    method: 'GET',
    path: restPath(joined.sessionId, 'state'),
    headers: bearer(joined.tokens.agent_a),
  }),
  'a refusal': () => ({ method: 'GET', path: restPath(joined.sessionId, 'state') }),
  redemption: () => ({ method: 'POST', path: `${REST}/invitations/redeem`, body: '{}' }),
  'a tool': () => ({ method: 'POST', path: MCP, body: callTool('read_task'), headers: bearer(joined.tokens.agent_b) }),
  'a tool by the path': () => ({
    method: 'POST',
    path: `${MCP}/${joined.tokens.agent_b}`,
    body: callTool('read_task'),
  }),
  initialize: () => ({ method: 'POST', path: MCP, body: rpc('initialize'), headers: bearer(joined.tokens.agent_a) }),
  OPTIONS: () => ({ method: 'OPTIONS', path: MCP }),
};

/** Removes the headers that differ in each answer. */
function lasting({ status, headers, text }: Heard): object {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return { status, headers: others, text };
}

test.each(Object.entries(REQUESTS))('%s is answered alike under every host name', async (_what, request) => {
  const sent = request();
  const [first, ...others] = await Promise.all(
    HOSTS.map(async (Host) => lasting(await service.send({ ...sent, headers: { ...sent.headers, Host } }))),
  );
  for (const other of others) expect(other).toEqual(first);
  for (const host of HOSTS.filter((name) => name !== '')) expect(JSON.stringify(first)).not.toContain(host);
});

test('health says that it is well, who it is and what time it is', async () => {
  const health = await service.send({ method: 'GET', path: `${REST}/health` });
  expect([health.status, health.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(health.json).toEqual({
    ok: true,
    service: 'parley',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    time: '2026-01-05T09:00:00.000Z',
  });
});

describe('health', () => {
  test.each(['prt_x', '', 'x'.repeat(300)])('asks for no token and looks at none: %.20s', async (token) => {
    const heard = await service.send({ method: 'GET', path: `${REST}/health`, headers: bearer(token) });
    expect(heard.status).toBe(200);
  });

  test('tells the time of the moment', async () => {
    service.clock.advance(1_500);
    const { text } = await service.send({ method: 'GET', path: `${REST}/health` });
    expect(text).toContain('2026-01-05T09:00:01.500Z');
  });
});
