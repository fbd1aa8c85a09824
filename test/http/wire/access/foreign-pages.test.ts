import { describe, expect, test } from 'vitest';
import { invite, joinSession } from '../../../support/join-session.ts';
import { bearer, callTool, MCP, REST, restPath } from '../../../support/requests.ts';
import { startService } from '../../../support/service.ts';
import { redeem, tally, UNKNOWN_CODE } from '../support/rates.ts';

const FOREIGN = ['cross-site', 'same-site', 'anything-else'];
const from = (site: string) => ({ 'Sec-Fetch-Site': site, Origin: 'http://127.0.0.1:3000' });

describe('a web page of another origin', () => {
  test.each(FOREIGN)('redeems no code: %s', async (site) => {
    const service = await startService();
    const { sessionId } = await joinSession(service);
    const body = JSON.stringify({ code: await invite(service.owner, sessionId, 'agent_a') });
    const refused = await service.send(redeem(body, from(site)));
    expect([refused.status, refused.json]).toEqual([
      403,
      {
        ok: false,
        error: 'CROSS_SITE_REFUSED',
        message: 'A web page of another origin sent this request.',
        hint: 'Send the request from a program such as parley connect, not from a web page.',
      },
    ]);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect((await service.send(redeem(body))).status).toBe(200);
  });

  test('spends none of the redemptions of its address', async () => {
    const service = await startService();
    expect(await tally(service, 30, (n) => redeem(UNKNOWN_CODE, from(FOREIGN[n % 3] ?? '')))).toEqual({ 403: 30 });
    expect(await tally(service, 11, () => redeem(UNKNOWN_CODE))).toEqual({ 404: 10, 429: 1 });
    expect(await tally(service, 1, () => redeem(UNKNOWN_CODE, from('cross-site')))).toEqual({ 403: 1 });
  });

  test('asks for OPTIONS, health, routes and tools as every client does', async () => {
    const service = await startService();
    const { sessionId, tokens } = await joinSession(service);
    const headers = { ...bearer(tokens.agent_a), ...from('cross-site') };
    const statuses = [
      await service.send({ method: 'OPTIONS', path: `${REST}/invitations/redeem`, headers: from('cross-site') }),
      await service.send({ method: 'GET', path: `${REST}/health`, headers: from('cross-site') }),
      await service.send({ method: 'GET', path: restPath(sessionId, 'state'), headers }),
      await service.send({ method: 'POST', path: restPath(sessionId, 'turns'), headers, body: '{"summary":"Mine."}' }),
      await service.send({ method: 'POST', path: MCP, headers, body: callTool('read_task') }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([204, 200, 200, 200, 200]);
  });
});

test.each([{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }, { Origin: 'https://app.example' }, {}])(
  'a request that no browser calls foreign is counted and answered: %j',
  async (headers) => {
    const service = await startService({ limits: { redeemPerAddress: 1 } });
    expect(await tally(service, 2, () => redeem(UNKNOWN_CODE, headers))).toEqual({ 404: 1, 429: 1 });
  },
);
