import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { bearer, REST as PREFIX, restPath } from '../../../test/support/requests.ts';
import { seat } from './seated.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

/** Starts the host on the real core with one session. `get` and `post` send a request to a route of this session. */
async function startSeated(options: Parameters<typeof seat>[0] = {}) {
  const seated = await seat(options);
  const serving = await start(seated.parley);
  const session = (route: string) => restPath(seated.sessionId, route);
  return {
    ...seated,
    ...serving,
    session,
    get: (route: string, token: string) => ask(serving.url, session(route), { headers: bearer(token) }),
    post: (route: string, token: string, body: string) =>
      ask(serving.url, session(route), { headers: bearer(token), body }),
  };
}

describe('without a token', () => {
  it.each(['?', '?t=1763800000', '?a=1&a=2', '?%zz'])('health is answered with any query: %s', async (query) => {
    const { url } = await startSeated();
    expect((await ask(url, `${PREFIX}/health${query}`)).json).toMatchObject({ ok: true, service: 'parley' });
  });

  it('HEAD of health is answered as GET, without the body', async () => {
    const { url } = await startSeated();
    const head = await ask(url, `${PREFIX}/health`, { method: 'HEAD' });
    const got = await ask(url, `${PREFIX}/health`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(got.text.length)]);
    expect((await ask(url, `${PREFIX}/invitations/redeem`, { method: 'HEAD' })).status).toBe(401);
  });

  it('a redemption trims its code', async () => {
    const { url, code } = await startSeated();
    const body = JSON.stringify({ code: `  ${await code('agent_a')}\n` });
    expect((await ask(url, `${PREFIX}/invitations/redeem`, { body })).json.role).toBe('agent_a');
  });
});

describe('the token', () => {
  it('is told its routes if the path has no route', async () => {
    const { get, tokenA } = await startSeated();
    const { message } = (await get('final-plan', tokenA)).json;
    expect(message).toMatch(
      /^There is no route at this path\. The tools of your token, with their routes below \/sessions\/\{session_id\}\/ and the members of query or body, are: /,
    );
    for (const call of [
      'read_task: GET task;',
      'get_contract_schema: GET contract-schema {whole?};',
      'fetch_artifact: GET artifacts/fetch {filename, from?};',
      'confirm_receipt: POST artifacts/receipt {filename, sha256, others?};',
    ])
      expect(message).toContain(` ${call}`);
    expect(message).not.toContain('moderator/');
  });
});

describe('a route', () => {
  it.each([
    ['', 422, 'INVALID_INPUT'],
    [' \r\n\t', 422, 'INVALID_INPUT'],
    ['{', 400, 'INVALID_JSON'],
    ['[]', 400, 'INVALID_JSON'],
    ['{"summary":1}', 422, 'INVALID_INPUT'],
    [`{"summary":"${'['.repeat(10)}"}x`, 400, 'INVALID_JSON'],
    ['['.repeat(100_000), 400, 'INVALID_JSON'],
  ])('refuses the body %.20s', async (body, status, error) => {
    const { url, session, tokenA } = await startSeated();
    const heard = await ask(url, session('turns'), { method: 'POST', headers: bearer(tokenA), body });
    expect([heard.status, heard.json.ok, heard.json.error]).toEqual([status, false, error]);
  });

  it.each(['HEAD', 'PUT', 'DELETE', 'PATCH'])('answers 405 to %s', async (method) => {
    const { url, session, tokenA } = await startSeated();
    const { status, headers } = await ask(url, session('turns'), { method, headers: bearer(tokenA) });
    expect(status).toBe(405);
    expect(headers.allow).toContain('POST');
  });

  it('ignores what a client adds to a query against caches', async () => {
    const { url, session, tokenA } = await startSeated();
    const { status, json } = await ask(url, session('state?wait=0&_=1763800000'), { headers: bearer(tokenA) });
    expect([status, json.your_turn]).toEqual([200, true]);
    expect((await ask(url, session('state?t=1'), { headers: bearer(tokenA) })).status).toBe(422);
  });
});

describe('a held poll', () => {
  it('is released immediately when its client disconnects', async () => {
    const { port, parley, session, tokenB } = await startSeated();
    const wire = await openWire(port);
    wire.write(`GET ${session('state?wait=25')} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${tokenB}`, '', '');
    await expect.poll(() => parley.heldPolls()).toBe(1);
    wire.socket.destroy();
    await expect.poll(() => parley.heldPolls()).toBe(0);
  });

  it('gets the current state when the server closes; the next request gets 503', async () => {
    const { parley, get, close, tokenB } = await startSeated();
    const poll = get('state?wait=25', tokenB);
    await expect.poll(() => parley.heldPolls()).toBe(1);
    await parley.drain();
    expect((await poll).json).toMatchObject({ your_turn: false });
    const refused = await get('state', tokenB);
    expect([refused.status, refused.json.error]).toEqual([503, 'SHUTTING_DOWN']);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    await close();
  });
});
