import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { checkKnownKey } from '../../src/server/access/owner-key.ts';
import { AS_OWNER, ask, createSession, type Question, seatAgent } from '../ask.ts';
import { KEY, OTHER_KEY, runApp, SESSION } from '../running-app.ts';

const ID = '0'.repeat(22);

/** Every route of the owner's API, with a body if it accepts one. */
const ROUTES: readonly (readonly [string, string, Question])[] = [
  ['GET', '/owner/api/sessions', {}],
  ['POST', '/owner/api/sessions', { body: SESSION }],
  ['GET', `/owner/api/sessions/${ID}`, {}],
  ['DELETE', `/owner/api/sessions/${ID}`, { method: 'DELETE' }],
  ['GET', `/owner/api/sessions/${ID}/log`, {}],
  ['GET', `/owner/api/sessions/${ID}/events`, {}],
  ['GET', '/owner/api/overview', {}],
  ['GET', '/owner/api/inbox', {}],
  ['GET', `/owner/api/sessions/${ID}/transcript`, {}],
  ['GET', `/owner/api/sessions/${ID}/revision?revision_id=r_1`, {}],
  ['GET', `/owner/api/sessions/${ID}/diff?revision_id=r_1`, {}],
  ['GET', `/owner/api/sessions/${ID}/blockers`, {}],
  ['GET', `/owner/api/sessions/${ID}/artifact?filename=contract.md`, {}],
  ['POST', `/owner/api/sessions/${ID}/invite`, { body: { role: 'agent_a' } }],
  ['POST', `/owner/api/sessions/${ID}/pause`, { body: { reason: 'x' } }],
  ['POST', '/owner/api/moderator-entitlement', { body: { entitled: false } }],
  ['GET', '/owner/api/nothing', {}],
];

describe('who may come in', () => {
  test('nobody with a wrong key or with half a header', async () => {
    const { url } = await runApp();
    for (const authorization of [
      `Bearer ${OTHER_KEY}`,
      `bearer ${KEY}`,
      `Bearer  ${KEY}`,
      KEY,
      `Basic ${KEY}`,
      `Bearer ${KEY} x`,
    ]) {
      const { status } = await ask(url, '/owner/api/sessions', { headers: { authorization } });
      expect({ authorization, status }).toEqual({ authorization, status: 401 });
    }
  });

  test('nobody without a key, on any route', async () => {
    const { url } = await runApp();
    for (const [method, path, question] of ROUTES) {
      const { status, json, headers } = await ask(url, path, question);
      expect({ method, path, status, json }).toEqual({
        ...{ method, path, status: 401 },
        json: expect.objectContaining({
          ok: false,
          error: 'UNAUTHORIZED',
          message: expect.any(String),
          hint: expect.stringContaining('pok_'),
        }),
      });
      expect(headers.get('www-authenticate')).toBe('Bearer realm="parley owner"');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('an agent token opens no owner route', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const token = await seatAgent(url, id, 'agent_a');
    for (const [method, path, question] of ROUTES) {
      const own = path.replace(ID, id);
      const { status } = await ask(url, own, { ...question, headers: { authorization: `Bearer ${token}` } });
      expect({ method, own, status }).toEqual({
        method,
        own,
        status: expect.toSatisfy((code) => code === 401 || code === 429),
      });
    }
    expect((await ask(url, `/owner/api/sessions/${id}`, { headers: AS_OWNER })).status).toBe(200);
  });

  test('the owner key opens no agent route', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    expect((await ask(url, `/api/public/agent/sessions/${id}/task`, { headers: AS_OWNER })).status).toBe(401);
    expect(
      (await ask(url, '/api/public/mcp', { headers: AS_OWNER, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }))
        .status,
    ).toBe(401);
    expect((await ask(url, `/api/public/mcp/${KEY}`, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status).toBe(
      401,
    );
  });

  test('two Authorization headers are one too many', async () => {
    const { url } = await runApp();
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const header = `authorization: Bearer ${KEY}\r\n`;
    socket.end(`GET /owner/api/sessions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}${header}\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('guessing the key', () => {
  const guess = (url: string, letter: string, address = '203.0.113.9') =>
    ask(url, '/owner/api/sessions', {
      headers: { authorization: `Bearer pok_${letter.repeat(43)}`, 'x-forwarded-for': address },
    });

  test('ends after ten wrong keys a minute and address, at both doors', async () => {
    const now = Date.UTC(2026, 10, 21, 10, 0, 15);
    const { url } = await runApp({ now: () => now, trustedProxies: ['127.0.0.1'] });
    for (let count = 0; count < 10; count += 1) expect((await guess(url, String(count))).status).toBe(401);
    const refused = await guess(url, 'x');
    expect(refused).toMatchObject({ status: 429, json: { error: 'RATE_LIMITED', retry_after_seconds: 45 } });
    expect(refused.headers.get('retry-after')).toBe('45');
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    expect((await ask(url, '/owner/api/sign-in', { headers, body: { owner_key: OTHER_KEY } })).status).toBe(429);
    expect((await guess(url, 'x', '203.0.113.10')).status).toBe(401);
  });

  const runWithKey = (key: string, now: () => number) =>
    runApp({ now, ownerKey: { check: checkKnownKey(key), cookieSecret: new Uint8Array(32) } });
  const asOwnerOf = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const guessAll = (url: string) =>
    Promise.all(Array.from({ length: 40 }, (_, count) => guess(url, String.fromCharCode(65 + (count % 26)))));

  test('counts the right key as no try', async () => {
    const key = 'pok_the-owner-key-of-our-company-2026';
    const { url } = await runWithKey(key, () => Date.UTC(2026, 10, 21, 10, 0, 15));
    for (let count = 0; count < 9; count += 1) expect((await guess(url, String(count), '127.0.0.1')).status).toBe(401);
    expect((await ask(url, '/owner/api/sessions', asOwnerOf(key))).status).toBe(200);
    expect((await guess(url, 'x')).status).toBe(401);
    expect((await guess(url, 'y')).status).toBe(429);
  });

  test('locks nobody out who has a generated key, at both doors, and starts again the next minute', async () => {
    let now = Date.UTC(2026, 10, 21, 10, 0, 15);
    const key = 'pok_9b1f00c2d4e6a8397b5d1f2e3c4a5b6978';
    const { url } = await runWithKey(key, () => now);
    await guessAll(url);
    expect((await ask(url, '/owner/api/sessions', asOwnerOf(key))).status).toBe(200);
    expect((await ask(url, '/owner/api/sign-in', { body: { owner_key: key } })).status).toBe(200);
    expect((await guess(url, 'x')).status).toBe(429);
    now += 60_000;
    expect((await guess(url, 'x')).status).toBe(401);
  });

  test('counts no text that cannot be an owner key, such as the token of an agent', async () => {
    const { url } = await runApp({ now: () => Date.UTC(2026, 10, 21, 10, 0, 15) });
    for (const text of [`prt_${'x'.repeat(71)}`, 'pok_short', KEY.toUpperCase()])
      for (let count = 0; count < 5; count += 1)
        expect((await ask(url, '/owner/api/sessions', asOwnerOf(text))).status).toBe(401);
    expect((await ask(url, '/owner/api/sessions', { headers: AS_OWNER })).status).toBe(200);
  });

  test('looks at no key that a person thought of while its address is over the limit', async () => {
    let now = Date.UTC(2026, 10, 21, 10, 0, 15);
    const key = 'pok_the-owner-key-of-our-company-2026';
    const { url } = await runWithKey(key, () => now);
    expect((await ask(url, '/owner/api/sessions', asOwnerOf(key))).status).toBe(200);
    await guessAll(url);
    expect((await ask(url, '/owner/api/sessions', asOwnerOf(key))).status).toBe(429);
    now += 60_000;
    expect((await ask(url, '/owner/api/sessions', asOwnerOf(key))).status).toBe(200);
  });
});

describe('the routes', () => {
  test('carry a session from its creation to its end', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const call = (name: string, body?: unknown) =>
      ask(url, `/owner/api/sessions/${id}/${name}`, { headers: AS_OWNER, ...(body === undefined ? {} : { body }) });
    expect((await call('start', {})).json).toMatchObject({ session_id: id, status: 'ACTIVE' });
    expect((await call('extend-rounds', { rounds: 2 })).json).toMatchObject({ round_limit: 12 });
    expect((await call('pause', { reason: 'Lunch.' })).json).toMatchObject({ status: 'PAUSED' });
    expect((await call('resume', '')).json).toMatchObject({ status: 'ACTIVE' });
    const { json } = await call('transcript?after=0');
    expect(json.messages.map(({ kind }: { kind: string }) => kind)).toEqual([
      'session.started',
      'rounds.extended',
      'session.paused',
      'session.resumed',
    ]);
    expect((await call('end', { end_reason: 'COMPLETED' })).json).toMatchObject({ status: 'ENDED' });
  });

  test('list, page, show and delete', async () => {
    const { url } = await runApp();
    const ids = [await createSession(url), await createSession(url), await createSession(url)];
    const list = (query = '') => ask(url, `/owner/api/sessions${query}`, { headers: AS_OWNER });
    expect(
      (await list()).json.sessions.map((session: { session_id: string }) => session.session_id).toSorted(),
    ).toEqual(ids.toSorted());
    const page = (await list('?limit=2')).json;
    expect(page.sessions).toHaveLength(2);
    expect((await list(`?limit=2&after=${page.next_after}`)).json.sessions).toHaveLength(1);
    expect((await list('?limit=2&_=1763800000')).json.sessions).toHaveLength(2);
    expect((await list('?limit=many')).json).toMatchObject({ error: 'INVALID_INPUT' });
    const gone = await ask(url, `/owner/api/sessions/${ids[0]}`, { method: 'DELETE', headers: AS_OWNER });
    expect(gone.json).toEqual({ deleted: true });
    expect((await ask(url, `/owner/api/sessions/${ids[0]}`, { headers: AS_OWNER })).status).toBe(404);
  });

  test('give the log as JSON lines that verify', async () => {
    const { url, parley } = await runApp();
    const id = await createSession(url);
    const { text: log, headers } = await ask(url, `/owner/api/sessions/${id}/log`, { headers: AS_OWNER });
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="parley-${id}.jsonl"`);
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { head } = await parley.owner('owner').verifyLog(id);
    expect(lines.at(-1).hash).toBe(head.hash);
    expect(JSON.parse(lines[0].event)).toMatchObject({ seq: 1, kind: 'session.created', actor: 'owner' });
  });

  test.each([
    ['GET', '/owner/api/nothing', 404, 'NOT_FOUND'],
    ['GET', `/owner/api/sessions/${ID}`, 404, 'UNKNOWN_RECORD'],
    ['GET', `/owner/api/sessions/${ID}/log`, 404, 'UNKNOWN_RECORD'],
    ['GET', `/owner/api/sessions/${ID}/events`, 404, 'UNKNOWN_RECORD'],
    ['POST', `/owner/api/sessions/${ID}/approve-everything`, 404, 'NOT_FOUND'],
    ['GET', `/owner/api/sessions/${ID}/start`, 405, 'METHOD_NOT_ALLOWED'],
    ['POST', `/owner/api/sessions/${ID}/START`, 404, 'NOT_FOUND'],
    ['PUT', '/owner/api/sessions', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s %s answers %i %s', async (method, path, status, error) => {
    const { url } = await runApp();
    const answered = await ask(url, path, { method, headers: AS_OWNER });
    expect(answered).toMatchObject({ status, json: { ok: false, error } });
    expect(answered.headers.get('allow')).toBe(
      status === 405 ? (path.endsWith('start') ? 'POST' : 'HEAD, GET, POST') : null,
    );
  });

  test('are named to an owner who calls a path beside them, and to an owner among the routes of agents', async () => {
    const { url } = await runApp();
    const hintOf = async (path: string, headers: Record<string, string> = AS_OWNER) =>
      (await ask(url, path, { headers })).json.hint;
    const below =
      'The owner API is below /owner/api: GET /owner/api/sessions lists the sessions, POST /owner/api/sessions/{id}/<operation> runs an operation, and GET /openapi-owner.json describes the routes.';
    for (const path of ['/api/sessions', '/sessions', '/owner/sessions.json']) expect(await hintOf(path)).toBe(below);
    expect(await hintOf('/sessions', {})).toMatch(/^If you have an invitation code/);
    expect(await ask(url, `/api/public/agent/sessions/${ID}/state`, { headers: AS_OWNER })).toMatchObject({
      status: 401,
      json: {
        error: 'UNAUTHORIZED',
        message: 'A key of the owner (pok_...) was sent in place of the token of an agent (prt_...).',
        hint: 'This route is for agents. The owner calls the API whose address ends in /owner/api, with this key, or runs the command parley.',
      },
    });
    const asAgent = { authorization: `Bearer prt_${'x'.repeat(40)}` };
    expect(await ask(url, '/owner/api/sessions', { headers: asAgent })).toMatchObject({
      status: 401,
      json: {
        error: 'UNAUTHORIZED',
        message: 'The token of an agent (prt_...) was sent in place of the owner key (pok_...).',
        hint: 'These routes are for the owner. Agents call the API whose address ends in /api/public/agent, or the one that ends in /api/public/mcp.',
      },
    });
  });

  test('refuse what the input schema refuses, in the shape of the agents side', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const call = (body: unknown) => ask(url, `/owner/api/sessions/${id}/pause`, { headers: AS_OWNER, body });
    expect(await call({ reasn: 'x' })).toMatchObject({
      status: 422,
      json: { error: 'INVALID_INPUT', issues: expect.any(Array) },
    });
    expect(await call(' \n')).toMatchObject({ status: 422, json: { error: 'INVALID_INPUT' } });
    expect(await call('{"reason":')).toMatchObject({ status: 400, json: { error: 'INVALID_JSON' } });
    expect(await call(JSON.stringify({ reason: 'x'.repeat(200_001) }))).toMatchObject({
      status: 413,
      json: { error: 'BODY_TOO_LARGE' },
    });
    const encoded = { ...AS_OWNER, 'Content-Encoding': 'gzip' };
    const refused = await ask(url, `/owner/api/sessions/${id}/pause`, { headers: encoded, body: {} });
    expect([refused.status, refused.headers.get('Accept-Encoding')]).toEqual([415, 'identity']);
    expect(await call({ reason: 'x' })).toMatchObject({ status: 409, json: { error: 'INVALID_TRANSITION' } });
  });

  test('say how many faults an input has if issues names only some of them', async () => {
    const { url } = await runApp();
    const id = await createSession(url);
    const refused = (members: number) => {
      const body = Object.fromEntries(Array.from({ length: members }, (_, index) => [`unknown_${index}`, 1]));
      return ask(url, `/owner/api/sessions/${id}/start`, { headers: AS_OWNER, body });
    };
    const { json: many } = await refused(25);
    expect(many.issues).toHaveLength(20);
    expect(many.issues_total).toBe(25);
    const { json: few } = await refused(20);
    expect(few.issues).toHaveLength(20);
    expect(few).not.toHaveProperty('issues_total');
  });

  test('are never cached and carry a request id', async () => {
    const { url } = await runApp();
    const { headers } = await ask(url, '/owner/api/sessions', { headers: AS_OWNER });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('refuse a write that another site started, key or not', async () => {
    const { url } = await runApp();
    const headers = { ...AS_OWNER, origin: 'https://evil.example' };
    expect(await ask(url, '/owner/api/sessions', { headers, body: SESSION })).toMatchObject({
      status: 403,
      json: { error: 'CROSS_SITE_REFUSED' },
    });
  });
});
