import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Heard, Sent } from '../../../support/exchange.ts';
import { type Joined, joinSession } from '../../../support/join-session.ts';
import { bearer, callTool, MCP, REST, restPath, rpc } from '../../../support/requests.ts';
import { openService, type Service } from '../../../support/service.ts';
import { verdictOf } from '../support/targets.ts';

let service: Service;
let joined: Joined;

beforeAll(async () => {
  service = await openService({ limits: { perToken: 100, perAddress: 60 } });
  joined = await joinSession(service);
});
afterAll(() => service.close());

const TOO_MUCH = 'x'.repeat(200_001);
const ORIGIN = { Origin: 'https://app.example' };

interface Asked {
  readonly method: string;
  /** A route of the session, or a complete path. */
  readonly to: string;
  readonly as?: 'agent_a' | 'agent_b' | 'moderator';
  readonly body?: string;
  readonly headers?: OutgoingHttpHeaders;
}

const NOBODY = { method: 'GET', to: 'state' };
const TURN = { method: 'POST', to: 'turns', as: 'agent_a' } as const;
const RPC = { method: 'POST', to: MCP, as: 'agent_a' } as const;

/** Maps each kind of answer to a request that gets such an answer. */
const ANSWERS: Readonly<Record<string, Asked>> = {
  'REST 200': { method: 'GET', to: 'state', as: 'agent_a' },
  'REST 200 without a token': { method: 'GET', to: `${REST}/health` },
  'REST 400': { ...TURN, body: '{' },
  'REST 401': NOBODY,
  'REST 403': { ...TURN, as: 'moderator' },
  'REST 404': { method: 'GET', to: 'nowhere', as: 'agent_a' },
  'REST 404 of a code': { method: 'POST', to: `${REST}/invitations/redeem`, body: '{"code":"x"}' },
  'REST 405': { method: 'DELETE', to: 'turns', as: 'agent_a' },
  'REST 409': { ...TURN, as: 'agent_b', body: '{"summary":"Mine."}' },
  'REST 413': { ...TURN, body: TOO_MUCH },
  'REST 413 of a code': { method: 'POST', to: `${REST}/invitations/redeem`, body: TOO_MUCH },
  'REST 422': { ...TURN, body: '{}' },
  'MCP 200': { ...RPC, body: rpc('ping') },
  'MCP 200 of a failure': { ...RPC, body: callTool('post_turn', {}) },
  'MCP 202': { ...RPC, body: '{"jsonrpc":"2.0","method":"x"}' },
  'MCP 400': { ...RPC, body: '{' },
  'MCP 401': { method: 'POST', to: MCP, body: rpc('ping') },
  'MCP 401 of a path': { method: 'POST', to: `${MCP}/prt_short`, body: rpc('ping') },
  'MCP 405': { method: 'GET', to: MCP },
  'MCP 405 of a path': { method: 'DELETE', to: `${MCP}/prt_short` },
  'MCP 413': { ...RPC, body: TOO_MUCH },
};

function ask({ method, to, as, body, headers }: Asked): Promise<Heard> {
  const path = to.startsWith('/') ? to : restPath(joined.sessionId, to);
  const sent: Sent = { method, path, body, headers: { ...ORIGIN, ...(as && bearer(joined.tokens[as])), ...headers } };
  return service.send(sent);
}

function expectOpen({ headers }: Heard): void {
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  expect(headers['access-control-expose-headers']?.split(', ')).toEqual(
    expect.arrayContaining(['Retry-After', 'WWW-Authenticate']),
  );
  expect(headers['cache-control']).toBe('no-store');
}

describe('every origin may read', () => {
  test.each(Object.entries(ANSWERS))('%s', async (name, asked) => {
    const heard = await ask(asked);
    expect(verdictOf(heard).split(' ')[0]).toBe(name.split(' ')[1]);
    expectOpen(heard);
  });

  test('429 over both transports', async () => {
    for (let n = 0; n < 60; n += 1) await ask(NOBODY);
    for (const asked of [NOBODY, { method: 'POST', to: MCP, body: rpc('ping') }]) {
      const heard = await ask(asked);
      expect(heard.status).toBe(429);
      expectOpen(heard);
    }
  });
});

describe('OPTIONS', () => {
  test.each([
    `${REST}/health`,
    `${REST}/invitations/redeem`,
    `${REST}/sessions/x/turns`,
    `${REST}/nowhere`,
    REST,
    MCP,
    `${MCP}/prt_1234567890123456`,
  ])('of %s is 204 for every origin, without a token', async (path) => {
    const headers = {
      ...ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    const heard = await service.send({ method: 'OPTIONS', path, headers });
    expect([heard.status, heard.text]).toEqual([204, '']);
    expectOpen(heard);
    const methods = path.startsWith(MCP) ? 'POST, OPTIONS' : 'GET, POST, OPTIONS';
    expect(heard.headers['access-control-allow-methods']).toBe(methods);
    const allowed = heard.headers['access-control-allow-headers']?.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'mcp-protocol-version']),
    );
  });
});
