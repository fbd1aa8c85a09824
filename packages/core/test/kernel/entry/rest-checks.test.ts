import { describe, expect, test } from 'vitest';
import { readToken } from '../../../src/kernel/entry/authentication.ts';
import { fail } from '../../../src/kernel/errors.ts';
import { openWorld, type Sent, type World } from '../support/world.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOWHERE = 'GET nowhere';
const ELSEWHERE = 'GET /sessions/AAAAAAAAAAAAAAAAAAAAAA/state';

interface Row {
  readonly check: string;
  readonly code: string | undefined;
  readonly status: number;
  readonly route: string;
  sent(world: World): Promise<Sent> | Sent;
}

/** Requests with two faults. The answer must report the fault that is checked first. */
const ROWS: readonly Row[] = [
  {
    check: 'the rate of an address comes before the form of the header',
    code: 'RATE_LIMITED',
    status: 429,
    route: NOWHERE,
    async sent({ here }) {
      for (let n = 0; n < 60; n += 1) await here.send(NOWHERE);
      return { token: 'Basic x' };
    },
  },
  {
    check: 'the rate of a token comes before its validity',
    code: 'RATE_LIMITED',
    status: 429,
    route: NOWHERE,
    async sent({ here }) {
      for (let n = 0; n < 600; n += 1) await here.send(NOWHERE, { token: 'prt_forged' });
      return { token: 'prt_forged' };
    },
  },
  { check: 'no header comes before the route', code: 'UNAUTHORIZED', status: 401, route: NOWHERE, sent: () => ({}) },
  {
    check: 'an unknown token comes before the route',
    code: 'UNAUTHORIZED',
    status: 401,
    route: NOWHERE,
    sent: () => ({ token: 'prt_unknown' }),
  },
  {
    check: 'a revoked token comes before its expiry and the route',
    code: 'TOKEN_REVOKED',
    status: 401,
    route: NOWHERE,
    async sent({ owner, sessionId, clock, tokenA }) {
      await owner.revoke(sessionId, { role: 'agent_a' });
      clock.jump(DAY);
      return { token: tokenA };
    },
  },
  {
    check: 'an expired token comes before the route',
    code: 'TOKEN_EXPIRED',
    status: 401,
    route: NOWHERE,
    sent({ clock, tokenA }) {
      clock.jump(DAY);
      return { token: tokenA };
    },
  },
  {
    check: 'an unknown route comes before the session',
    code: 'NOT_FOUND',
    status: 404,
    route: 'GET /sessions/AAAAAAAAAAAAAAAAAAAAAA/nowhere',
    sent: ({ tokenA }) => ({ token: tokenA }),
  },
  {
    check: 'the method comes before the session',
    code: 'METHOD_NOT_ALLOWED',
    status: 405,
    route: 'GET /sessions/AAAAAAAAAAAAAAAAAAAAAA/turns',
    sent: ({ tokenA }) => ({ token: tokenA }),
  },
  {
    check: 'the session comes before the role',
    code: 'WRONG_SESSION',
    status: 403,
    route: 'POST /sessions/AAAAAAAAAAAAAAAAAAAAAA/turns',
    sent: async ({ invite }) => ({ token: await invite('moderator'), body: '{' }),
  },
  {
    check: 'another session is refused on reads too',
    code: 'WRONG_SESSION',
    status: 403,
    route: ELSEWHERE,
    sent: ({ tokenA }) => ({ token: tokenA }),
  },
  {
    check: 'the role comes before the body, which is not read',
    code: 'MODERATOR_FORBIDDEN',
    status: 403,
    route: 'POST turns',
    sent: async ({ invite }) => ({ token: await invite('moderator'), readBody: unread }),
  },
  {
    check: 'the scope comes before the body, which is not read',
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
    route: 'POST turns',
    sent: async ({ invite }) => ({ token: await invite('agent_a', { scopes: ['read_task'] }), readBody: unread }),
  },
  {
    check: 'the size of the body comes before its text',
    code: 'BODY_TOO_LARGE',
    status: 413,
    route: 'POST turns',
    sent: ({ tokenA }) => ({ token: tokenA, readBody: async () => fail('BODY_TOO_LARGE', 'Too large.') }),
  },
  {
    check: 'the text of the body comes before its members',
    code: 'INVALID_JSON',
    status: 400,
    route: 'POST turns',
    sent: ({ tokenA }) => ({ token: tokenA, body: '{"summary":1,}' }),
  },
  {
    check: 'the input comes before the status',
    code: 'INVALID_INPUT',
    status: 422,
    route: 'POST turns',
    async sent({ owner, sessionId, tokenA }) {
      await owner.pause(sessionId, { reason: 'Lunch.' });
      return { token: tokenA, body: {} };
    },
  },
  {
    check: 'the replay of a key comes before the status',
    code: undefined,
    status: 200,
    route: 'POST turns',
    async sent({ here, owner, sessionId, tokenA, turn }) {
      const sent = { token: tokenA, body: turn(), keys: ['k'] };
      await here.send('POST turns', sent);
      await owner.end(sessionId, { end_reason: 'COMPLETED' });
      return sent;
    },
  },
  {
    check: 'another payload for a key comes before the status',
    code: 'IDEMPOTENCY_CONFLICT',
    status: 409,
    route: 'POST turns',
    async sent({ here, owner, sessionId, tokenA, turn }) {
      await here.send('POST turns', { token: tokenA, body: turn(), keys: ['k'] });
      await owner.end(sessionId, { end_reason: 'COMPLETED' });
      return { token: tokenA, body: turn('Other.'), keys: ['k'] };
    },
  },
  {
    check: 'the status comes before the rules',
    code: 'SESSION_NOT_ACTIVE',
    status: 409,
    route: 'POST turns',
    async sent({ owner, sessionId, tokenB, turn }) {
      await owner.pause(sessionId, { reason: 'Lunch.' });
      return { token: tokenB, body: turn() };
    },
  },
  {
    check: 'the rules come last',
    code: 'NOT_YOUR_TURN',
    status: 409,
    route: 'POST turns',
    sent: ({ tokenB, turn }) => ({ token: tokenB, body: turn() }),
  },
];

async function unread(): Promise<string> {
  throw new Error('The body was read.');
}

describe('the order of checks', () => {
  test.each(ROWS.map((row) => [row.check, row] as const))('%s', async (_check, { route, sent, code, status }) => {
    const world = await openWorld();
    expect(await world.here.send(route, await sent(world))).toMatchObject({ status, code });
    expect(world.here.failures).toEqual([]);
  });

  test('refusals have the headers WWW-Authenticate, Retry-After and Allow', async () => {
    const { here, tokenA } = await openWorld({ limits: { perAddress: 1 } });
    expect((await here.send(NOWHERE)).headers).toEqual({ 'WWW-Authenticate': 'Bearer realm="parley"' });
    expect((await here.send(NOWHERE)).headers).toEqual({ 'Retry-After': '60' });
    expect((await here.send(NOWHERE, { token: 'prt_unknown' })).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="parley", error="invalid_token"',
    });
    expect((await here.send('GET turns', { token: tokenA })).headers).toEqual({ Allow: 'POST, OPTIONS' });
    expect((await here.send('POST /health', { token: tokenA })).headers).toEqual({ Allow: 'GET, OPTIONS' });
  });
});

describe('the token of a request', () => {
  const tokenOf = (...authorization: string[]) => readToken({ authorization, address: '' });
  const atPath = (pathToken: string) => readToken({ authorization: ['Bearer prt_header'], pathToken, address: '' });

  test.each([
    ['no header', []],
    ['two headers', ['Bearer prt_a', 'Bearer prt_a']],
    ['another scheme', ['Basic prt_a']],
    ['the scheme in small letters', ['bearer prt_a']],
    ['two spaces', ['Bearer  prt_a']],
    ['a tab', ['Bearer\tprt_a']],
    ['a space after it', ['Bearer prt_a ']],
    ['a space before it', [' Bearer prt_a']],
    ['two values in one', ['Bearer prt_a, Bearer prt_a']],
    ['another prefix', ['Bearer pinv_a']],
    ['no prefix', ['prt_a']],
    ['a letter beyond ASCII', ['Bearer prt_é']],
    ['a line break', ['Bearer prt_a\n']],
    ['201 characters', [`Bearer prt_${'a'.repeat(197)}`]],
    ['nothing', ['']],
  ])('is missing with %s', (_what, headers) => {
    expect(tokenOf(...headers)).toBeNull();
  });

  test('has at most 200 characters', () => {
    expect(tokenOf(`Bearer prt_${'a'.repeat(196)}`)).toBe(`prt_${'a'.repeat(196)}`);
  });

  test('in the path replaces the header, even if it is malformed', () => {
    expect(atPath(`prt_${'a'.repeat(16)}`)).toBe(`prt_${'a'.repeat(16)}`);
    for (const segment of ['', 'prt_short', 'prt_%41aaaaaaaaaaaaaaaa', `prt_${'a'.repeat(15)}.`, 'mcp'])
      expect(atPath(segment)).toBeNull();
  });
});
