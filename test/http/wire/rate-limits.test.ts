import { describe, expect, test } from 'vitest';
import type { Sent } from '../../support/exchange.ts';
import { type Joined, joinSession } from '../../support/join-session.ts';
import { bearer, MCP, REST, restPath, rpc } from '../../support/requests.ts';
import { startService } from '../../support/service.ts';
import {
  expectRefusal,
  NO_SESSION,
  redeem,
  TOKENLESS,
  tally,
  tokenless,
  UNKNOWN_CODE,
  withToken,
} from './support/rates.ts';
import { MINUTE_MS } from './support/specification.ts';

/** The JSON-RPC id that a refusal must repeat. Undefined over REST. */
function rpcIdOf({ path, body }: Sent): number | null | undefined {
  if (!path.startsWith(MCP)) return undefined;
  return body === rpc('ping') ? 1 : null;
}

describe('an address', () => {
  test('redeems 10 times a minute, with valid or invalid codes', async () => {
    const service = await startService();
    const { sessionId } = await joinSession(service);
    const { code } = await service.owner.invite(sessionId, { role: 'agent_a' });
    const bodies = [UNKNOWN_CODE, '{', '[]', '{"code":5}', '', `{"code":"${'x'.repeat(300)}"}`, 'x'.repeat(200_001)];
    const sent = bodies.map((body) => redeem(body));
    expect(await tally(service, 7, (n) => sent[n] ?? redeem(''))).toEqual({ 400: 2, 404: 1, 413: 1, 422: 3 });
    expect(await tally(service, 2, () => redeem(UNKNOWN_CODE, bearer('prt_any')))).toEqual({ 404: 2 });
    expect((await service.send(redeem(JSON.stringify({ code })))).status).toBe(200);
    expectRefusal(await service.send(redeem(UNKNOWN_CODE)), 60);
    expectRefusal(await service.send(redeem('{')), 60);
  });

  test('sends 60 requests a minute without a token, over both transports together', async () => {
    const service = await startService();
    expect(await tally(service, 60, tokenless)).toEqual({ 401: 60 });
    for (const sent of TOKENLESS) expectRefusal(await service.send(sent), 60, rpcIdOf(sent));
  });

  test('sends 600 requests a minute with a token that was never given out, and then those without', async () => {
    const service = await startService();
    const forged = withToken(`prt_${'x'.repeat(71)}`, NO_SESSION);
    expect(await tally(service, 600, forged)).toEqual({ 401: 600 });
    expectRefusal(await service.send(forged(0)), 60);
    expectRefusal(await service.send(forged(1)), 60, 1);
    expectRefusal(await service.send(forged(2)), 60, 1);
    expect(await tally(service, 60, tokenless)).toEqual({ 401: 60 });
    expect((await service.send(redeem(UNKNOWN_CODE))).status).toBe(404);
  });

  test('asks for health and sends OPTIONS without a limit', async () => {
    const service = await startService();
    const free: readonly Sent[] = [
      { method: 'GET', path: `${REST}/health` },
      { method: 'OPTIONS', path: restPath(NO_SESSION, 'turns') },
      { method: 'OPTIONS', path: MCP },
      { method: 'OPTIONS', path: `${MCP}/prt_short` },
      { method: 'OPTIONS', path: `${REST}/invitations/redeem` },
    ];
    const anyFree = (n: number): Sent => free[n % free.length] ?? tokenless(0);
    expect(await tally(service, 100, anyFree)).toEqual({ 200: 20, 204: 80 });
    expect(await tally(service, 61, tokenless)).toEqual({ 401: 60, 429: 1 });
    expect(await tally(service, 11, () => redeem(UNKNOWN_CODE))).toEqual({ 404: 10, 429: 1 });
    expect(await tally(service, 100, anyFree)).toEqual({ 200: 20, 204: 80 });
  });

  test('is told at the MCP endpoint that only POST is served, which counts like any request', async () => {
    const service = await startService();
    const methods = ['GET', 'PUT', 'PATCH', 'DELETE'];
    const other = (n: number): Sent => ({ method: methods[n % 4] ?? '', path: n % 2 ? MCP : `${MCP}/prt_short` });
    expect(await tally(service, 40, other)).toEqual({ 405: 40 });
    expect(await tally(service, 21, tokenless)).toEqual({ 401: 20, 429: 1 });
    expectRefusal(await service.send(other(1)), 60, null);
  });
});

describe('a token', () => {
  test('sends 600 requests a minute, over both transports together, and no other token is concerned', async () => {
    const service = await startService();
    const { sessionId, tokens } = await joinSession(service);
    const mine = withToken(tokens.agent_a, sessionId);
    expect(await tally(service, 600, mine)).toEqual({ 200: 600 });
    expectRefusal(await service.send(mine(0)), 60);
    expectRefusal(await service.send(mine(1)), 60, 1);
    expectRefusal(await service.send(mine(2)), 60, 1);
    expect(await tally(service, 3, withToken(tokens.agent_b, sessionId))).toEqual({ 200: 3 });
    expect(await tally(service, 3, withToken(tokens.moderator, sessionId))).toEqual({ 200: 3 });
    expect(await tally(service, 1, tokenless)).toEqual({ 401: 1 });
  });

  test('is counted at the MCP endpoint under another method too, in the header and in the path', async () => {
    const service = await startService({ limits: { perToken: 4, perAddress: 1 } });
    const { tokens } = await joinSession(service);
    const other: readonly Sent[] = [
      { method: 'GET', path: MCP, headers: bearer(tokens.agent_a) },
      { method: 'DELETE', path: `${MCP}/${tokens.agent_a}` },
    ];
    expect(await tally(service, 5, (n) => other[n % 2] ?? redeem(''))).toEqual({ 405: 4, 429: 1 });
    expect(await tally(service, 2, tokenless)).toEqual({ 401: 1, 429: 1 });
  });

  test('is counted when it is refused as well: revoked, elsewhere, malformed, unknown', async () => {
    const service = await startService({ limits: { perToken: 8 } });
    const { sessionId, tokens } = await joinSession(service);
    const headers = bearer(tokens.agent_a);
    const refused: readonly Sent[] = [
      { method: 'GET', path: restPath(NO_SESSION, 'state'), headers },
      { method: 'GET', path: `${REST}/nowhere`, headers },
      { method: 'POST', path: restPath(sessionId, 'turns'), headers, body: '{' },
      { method: 'POST', path: restPath(sessionId, 'turns'), headers, body: 'x'.repeat(200_001) },
      { method: 'POST', path: MCP, headers, body: '{' },
      { method: 'POST', path: MCP, headers, body: '[]' },
      { method: 'POST', path: MCP, headers, body: 'x'.repeat(200_001) },
    ];
    for (const sent of refused) expect((await service.send(sent)).status).toBeLessThan(429);
    await service.owner.revoke(sessionId, { role: 'agent_a' });
    expect(await tally(service, 2, withToken(tokens.agent_a, sessionId))).toEqual({ 401: 1, 429: 1 });
  });
});

describe('a window', () => {
  const state = (token: string, { sessionId }: Joined): Sent => withToken(token, sessionId)(0);

  test('is fixed and begins with the minute of the clock', async () => {
    const service = await startService();
    const joined = await joinSession(service);
    service.clock.advance(59_000);
    expect(await tally(service, 60, tokenless)).toEqual({ 401: 60 });
    expect(await tally(service, 10, () => redeem(UNKNOWN_CODE))).toEqual({ 404: 10 });
    expect(await tally(service, 600, () => state(joined.tokens.agent_a, joined))).toEqual({ 200: 600 });
    service.clock.advance(999);
    const full: readonly Sent[] = [tokenless(0), redeem(UNKNOWN_CODE), state(joined.tokens.agent_a, joined)];
    for (const sent of full) expectRefusal(await service.send(sent), 1);
    service.clock.advance(1);
    expect(await tally(service, 61, tokenless)).toEqual({ 401: 60, 429: 1 });
    expect(await tally(service, 11, () => redeem(UNKNOWN_CODE))).toEqual({ 404: 10, 429: 1 });
    expect(await tally(service, 601, () => state(joined.tokens.agent_a, joined))).toEqual({ 200: 600, 429: 1 });
  });

  test.each([
    [0, 60],
    [1, 60],
    [1_000, 59],
    [29_999, 31],
    [30_000, 30],
    [58_999, 2],
    [59_000, 1],
    [59_001, 1],
    [59_999, 1],
  ])('that is full %i ms after its beginning opens again in %i s', async (ms, seconds) => {
    const service = await startService({ limits: { redeemPerAddress: 1, perAddress: 1, perToken: 1 } });
    service.clock.advance(MINUTE_MS * 7 + ms);
    const sent = [redeem(UNKNOWN_CODE), tokenless(0), withToken('prt_x', NO_SESSION)(0)];
    for (const each of sent) await service.send(each);
    for (const each of sent) expectRefusal(await service.send(each), seconds);
    expectRefusal(await service.send(tokenless(5)), seconds, 1);
  });
});
