import { describe, expect, it } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { bearer, REST as PREFIX, restPath } from '../../../test/support/requests.ts';
import { createStandingClock, type Seated, seat } from './seated.ts';
import { start } from './started.ts';
import { openWire } from './wire.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

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
  it('health and redemption are answered', async () => {
    const { url, code } = await startSeated();
    expect((await ask(url, `${PREFIX}/health`)).json).toMatchObject({ ok: true });
    const body = JSON.stringify({ code: await code('agent_a'), client_type: 'curl' });
    const redeemed = await ask(url, `${PREFIX}/invitations/redeem`, { body });
    expect([redeemed.status, redeemed.json.role]).toEqual([200, 'agent_a']);
    expect(redeemed.json.token).toMatch(/^prt_/);
    expect((await ask(url, `${PREFIX}/invitations/redeem`, { body })).json.error).toBe('INVITATION_INVALID');
  });

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

  it('ten redemptions per minute are processed; the next gets Retry-After', async () => {
    const { url } = await startSeated({ clock: createStandingClock() });
    const redeem = () => ask(url, `${PREFIX}/invitations/redeem`, { body: '{"code":"pinv_x"}' });
    for (let n = 0; n < 10; n += 1) expect((await redeem()).status).toBe(404);
    const { status, json, headers } = await redeem();
    expect([status, json.error]).toEqual([429, 'RATE_LIMITED']);
    expect(headers['retry-after']).toBe(String(json.retry_after_seconds));
    expect(json.retry_after_seconds).toBeGreaterThanOrEqual(1);
    expect(json.retry_after_seconds).toBeLessThanOrEqual(60);
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  it('sixty other requests per minute get their own refusal, the next gets 429; OPTIONS and health are not counted', async () => {
    const { url, session } = await startSeated({ clock: createStandingClock() });
    for (let n = 0; n < 70; n += 1) await ask(url, session('state'), { method: 'OPTIONS' });
    for (let n = 0; n < 60; n += 1) expect((await ask(url, session('state'))).status).toBe(401);
    expect((await ask(url, session('state'))).status).toBe(429);
    expect((await ask(url, `${PREFIX}/health`)).status).toBe(200);
  });
});

describe('the token', () => {
  it.each([{}, { Authorization: '' }])(
    'that is missing is 401, and the challenge names no error: %j',
    async (headers) => {
      const { url, session } = await startSeated();
      const heard = await ask(url, session('state'), { headers });
      expect([heard.status, heard.json.error]).toEqual([401, 'UNAUTHORIZED']);
      expect(heard.headers['www-authenticate']).toBe('Bearer realm="parley"');
    },
  );

  it.each<[string, (seated: Seated) => Record<string, string | string[]>]>([
    ['of another scheme', ({ tokenA }) => ({ Authorization: `Basic ${tokenA}` })],
    ['behind two spaces', ({ tokenA }) => ({ Authorization: `Bearer  ${tokenA}` })],
    ['too long', ({ tokenA }) => bearer(tokenA.padEnd(201, 'x'))],
    ['unknown', () => bearer(`prt_${'x'.repeat(71)}`)],
    ['given twice', ({ tokenA }) => ({ Authorization: [`Bearer ${tokenA}`, `Bearer ${tokenA}`] })],
  ])('%s is 401', async (_, headersOf) => {
    const seated = await startSeated();
    const heard = await ask(seated.url, seated.session('state'), { headers: headersOf(seated) });
    expect([heard.status, heard.json.ok, heard.json.error]).toEqual([401, false, 'UNAUTHORIZED']);
    expect(heard.headers['www-authenticate']).toBe('Bearer realm="parley", error="invalid_token"');
  });

  it('that was replaced or has expired is refused with this reason', async () => {
    const clock = createStandingClock();
    const { get, token, tokenA, tokenB } = await startSeated({ clock });
    await token('agent_a');
    expect((await get('state', tokenA)).json).toMatchObject({ ok: false, error: 'TOKEN_REVOKED' });
    expect((await get('state', tokenB)).status).toBe(200);
    clock.advance(DAY_MS);
    const { status, json } = await get('state', tokenB);
    expect([status, json.error]).toEqual([401, 'TOKEN_EXPIRED']);
  });

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

  it('is checked before the route, the session, the scope and the body, in this order', async () => {
    const { url, session, token, tokenA } = await startSeated();
    const narrow = await token('agent_b', { scopes: ['read_task'] });
    const large = 'a'.repeat(300_000);
    const refusal = async (path: string, held: string, method = 'POST') => {
      const { status, json } = await ask(url, path, {
        method,
        headers: bearer(held),
        ...(method === 'POST' && { body: large }),
      });
      return [status, json.error];
    };
    const elsewhere = session('turns').replace('/turns', 'x/turns');
    expect(await refusal(session('nowhere'), 'prt_x')).toEqual([401, 'UNAUTHORIZED']);
    expect(await refusal(session('nowhere'), tokenA)).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(session('turns'), tokenA, 'GET')).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await refusal(elsewhere, tokenA)).toEqual([403, 'WRONG_SESSION']);
    expect(await refusal(session('turns'), narrow)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await refusal(session('turns'), tokenA)).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('of a moderator cannot use builder routes', async () => {
    const { post, token } = await startSeated();
    const { status, json } = await post('turns', await token('moderator'), '{"summary":"x"}');
    expect([status, json.error]).toEqual([403, 'MODERATOR_FORBIDDEN']);
  });

  it('without the scope is refused with the name of the scope', async () => {
    const { get, token } = await startSeated();
    const { json } = await get('messages', await token('agent_b', { scopes: ['read_task'] }));
    expect(json).toMatchObject({ error: 'INSUFFICIENT_SCOPE', required_scope: 'read_messages' });
  });
});

describe('a route', () => {
  it('answers with the plain result', async () => {
    const { get, post, tokenA, tokenB } = await startSeated();
    expect((await get('state', tokenA)).json).toMatchObject({ your_turn: true, turn_index: 0 });
    const posted = await post('turns', tokenA, '{"summary":"Offsets hurt."}');
    expect([posted.status, posted.json.next_agent]).toEqual([200, 'agent_b']);
    const refused = await post('turns', tokenA, '{"summary":"More."}');
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({ ok: false, error: 'NOT_YOUR_TURN', next_agent: 'agent_b', turn_index: 1 });
    expect((await get('messages?after=0', tokenB)).json.next_cursor).toBeTypeOf('number');
  });

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

  it.each([
    [
      '{"summary":"x","questions":[{"text":"Is it \\ud83d?"}]}',
      'The JSON is refused: questions[0].text holds a lone surrogate.',
      'Correct questions[0].text: write the whole character, or leave it out. Then send the call again.',
    ],
    [
      '{"summary":"x","interfaces":[{"order_id":1234567890123456789}]}',
      'The JSON is refused: interfaces[0].order_id is a number that cannot be kept exactly.',
      'Correct interfaces[0].order_id: send it as a string. Then send the call again.',
    ],
    [
      '{"summary":"x",\n "questions":[],}',
      'The body is not valid JSON: the character at line 2, column 17 is not expected.',
      'Send one JSON object as the body.',
    ],
  ])('names the place of a fault in the body %.40s, and what to do', async (body, message, hint) => {
    const { post, tokenA } = await startSeated();
    const { status, json } = await post('turns', tokenA, body);
    expect([status, json]).toEqual([400, { ok: false, error: 'INVALID_JSON', message, hint }]);
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

  it('reads the idempotency key from its header', async () => {
    const { url, session, tokenA } = await startSeated();
    const headers = { ...bearer(tokenA), 'Idempotency-Key': '"turn-1"' };
    const post = (body: string) => ask(url, session('turns'), { headers, body });
    const first = await post('{"summary":"Offsets hurt."}');
    expect((await post('{"summary":"Offsets hurt."}')).text).toBe(first.text);
    expect((await post('{"summary":"Other."}')).json.error).toBe('IDEMPOTENCY_CONFLICT');
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
