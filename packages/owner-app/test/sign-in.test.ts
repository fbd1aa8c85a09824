import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { KEY, OTHER_KEY, runApp, SESSION } from './running-app.ts';

const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

const signIn = (url: string, headers: Record<string, string> = SAME_SITE) =>
  ask(url, '/owner/api/sign-in', { headers, body: { owner_key: KEY } });

const cookieOf = (setCookie: string | null): string => (setCookie ?? '').split(';')[0] ?? '';

describe('signing in', () => {
  test('sets a cookie that scripts, other sites and other paths never see', async () => {
    const { url } = await runApp();
    const { status, headers, json } = await signIn(url);
    expect(status).toBe(200);
    expect(Date.parse(json.expires_at)).toBeGreaterThan(Date.now() + 11 * 3_600_000);
    const [, ...flags] = (headers.get('set-cookie') ?? '').split('; ').map((flag) => flag.replace(/=.*(GMT)$/, '=…'));
    expect(flags.toSorted()).toEqual(['expires=…', 'httponly', 'path=/owner', 'samesite=strict']);
  });

  test('marks the cookie secure where browsers reach it by https', async () => {
    const { url } = await runApp({ publicUrl: 'https://parley.example.com' });
    expect((await signIn(url)).headers.get('set-cookie')).toContain('; secure');
  });

  test('opens the owner routes until signing out', async () => {
    const { url } = await runApp();
    const cookie = cookieOf((await signIn(url)).headers.get('set-cookie'));
    expect((await ask(url, '/owner/api/sessions', { headers: { cookie } })).status).toBe(200);
    const out = await ask(url, '/owner/api/sign-out', { headers: { cookie, ...SAME_SITE }, body: {} });
    expect(out.json).toEqual({ signed_out: true });
    expect(out.headers.get('set-cookie')).toContain('expires=Thu, 01 Jan 1970');
    expect((await ask(url, '/owner/api/sessions', { headers: { cookie } })).status).toBe(401);
  });

  test('never adopts a cookie that was there before', async () => {
    const { url } = await runApp();
    const planted = cookieOf((await signIn(url)).headers.get('set-cookie'));
    const fresh = cookieOf((await signIn(url, { ...SAME_SITE, cookie: planted })).headers.get('set-cookie'));
    expect(fresh).not.toBe(planted);
    expect((await ask(url, '/owner/api/sessions', { headers: { cookie: planted } })).status).toBe(401);
    expect((await ask(url, '/owner/api/sessions', { headers: { cookie: fresh } })).status).toBe(200);
  });

  test('ends by itself after twelve hours', async () => {
    let now = Date.now();
    const { url } = await runApp({ now: () => now });
    const cookie = cookieOf((await signIn(url)).headers.get('set-cookie'));
    now += 12 * 3_600_000 - 1_000;
    expect((await ask(url, '/owner/api/sessions', { headers: { cookie } })).status).toBe(200);
    now += 2_000;
    expect((await ask(url, '/owner/api/sessions', { headers: { cookie } })).status).toBe(401);
  });

  test.each(['', 'x', 'abcdefgh.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'refuses the cookie "%s"',
    async (value) => {
      const { url } = await runApp();
      expect((await ask(url, '/owner/api/sessions', { headers: { cookie: `parley_owner=${value}` } })).status).toBe(
        401,
      );
    },
  );

  test('with a wrong key, none or no JSON is refused', async () => {
    const { url } = await runApp();
    const path = '/owner/api/sign-in';
    expect((await ask(url, path, { body: { owner_key: OTHER_KEY } })).status).toBe(401);
    expect((await ask(url, path, { body: {} })).status).toBe(401);
    expect((await ask(url, path, { body: '[' })).json).toMatchObject({ error: 'INVALID_JSON' });
    expect((await ask(url, path)).headers.get('allow')).toBe('POST');
  });
});

test.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }])(
  'another site signs nobody in, also with the right key: %j',
  async (headers: Record<string, string>) => {
    const { url } = await runApp();
    const { status, json, headers: answered } = await signIn(url, headers);
    expect({ status, error: json.error }).toEqual({ status: 403, error: 'CROSS_SITE_REFUSED' });
    expect(answered.get('set-cookie')).toBeNull();
  },
);

test('the cookie opens no route of an agent', async () => {
  const { url } = await runApp();
  const cookie = cookieOf((await signIn(url)).headers.get('set-cookie'));
  const { json } = await ask(url, '/owner/api/sessions', { headers: { cookie, ...SAME_SITE }, body: SESSION });
  const headers = { cookie, ...SAME_SITE };
  const task = await ask(url, `/api/public/agent/sessions/${json.session_id}/task`, { headers });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect([task.status, (await ask(url, '/api/public/mcp', { headers, body })).status]).toEqual([401, 401]);
});

describe('a write with the cookie', () => {
  const write = async (headers: Record<string, string>, publicUrl?: string) => {
    const { url } = await runApp({ publicUrl });
    const cookie = cookieOf((await signIn(url)).headers.get('set-cookie'));
    const own = headers.origin === 'own' ? { ...headers, origin: url } : headers;
    return ask(url, '/owner/api/sessions', { headers: { cookie, ...own }, body: SESSION });
  };

  test.each([[{ 'sec-fetch-site': 'same-origin' }], [{ origin: 'own' }]])(
    'from these pages passes: %j',
    async (headers) => {
      expect((await write(headers)).status).toBe(200);
    },
  );

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{}],
  ])('from elsewhere, or who knows where, is refused: %j', async (headers: Record<string, string>) => {
    expect(await write(headers)).toMatchObject({ status: 403, json: { ok: false, error: 'CROSS_SITE_REFUSED' } });
  });

  test('passes by the public address when a proxy rewrites Host', async () => {
    const publicUrl = 'https://parley.example.com';
    expect((await write({ origin: publicUrl }, publicUrl)).status).toBe(200);
    expect((await write({ origin: 'https://parley.example.com.evil.example' }, publicUrl)).status).toBe(403);
  });
});
