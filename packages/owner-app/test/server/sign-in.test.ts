import { describe, expect, test } from 'vitest';
import { openWire } from '../../../http-host/test/wire.ts';
import { ask } from '../ask.ts';
import { KEY, OTHER_KEY, runApp, SESSION } from '../running-app.ts';

const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

const signIn = (url: string, headers: Record<string, string> = SAME_SITE) =>
  ask(url, '/owner/api/sign-in', { headers, body: { owner_key: KEY } });

const PAGE_KEY = 'parley-page-key';

/** Signs in, and returns the headers that a page of the console sends afterwards. */
async function signedIn(url: string, headers?: Record<string, string>) {
  const { json, headers: answered } = await signIn(url, headers);
  return { cookie: cookieOf(answered.get('set-cookie')), [PAGE_KEY]: String(json.page_key) };
}

const statusAs = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await ask(url, '/owner/api/sessions', { headers })).status;

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

  test.each([
    ['announced as longer', { owner_key: 'x'.repeat(8_000) }],
    ['found to be longer', { owner_key: 'x'.repeat(1_985) }],
  ])('refuses a body %s than 2,000 characters', async (_how, body) => {
    const { url } = await runApp();
    const { status, json } = await ask(url, '/owner/api/sign-in', { headers: SAME_SITE, body });
    expect([status, json]).toEqual([
      413,
      {
        ok: false,
        error: 'BODY_TOO_LARGE',
        message: 'The body is longer than 2000 characters.',
        hint: 'Keep the body at or below 2,000 characters.',
      },
    ]);
  });

  test('refuses a body of 2,000 characters for its key alone', async () => {
    const { url } = await runApp();
    const heard = await ask(url, '/owner/api/sign-in', { headers: SAME_SITE, body: { owner_key: 'x'.repeat(1_984) } });
    expect([heard.status, heard.json.error]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('refuses a body that is too long before it is whole', async () => {
    const { url } = await runApp();
    const wire = await openWire(Number(new URL(url).port));
    const head = ['POST /owner/api/sign-in HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked', ''];
    wire.write(...head, '7d1', 'x'.repeat(2_001), '');
    expect(await wire.until(/BODY_TOO_LARGE/)).toContain('HTTP/1.1 413');
  });

  test('marks the cookie secure where browsers reach it by https', async () => {
    const { url } = await runApp({ publicUrl: 'https://parley.example.com' });
    expect((await signIn(url)).headers.get('set-cookie')).toContain('; secure');
  });

  test('opens the owner routes until signing out', async () => {
    const { url } = await runApp();
    const page = await signedIn(url);
    expect(await statusAs(url, page)).toBe(200);
    const out = await ask(url, '/owner/api/sign-out', { headers: { ...page, ...SAME_SITE }, body: {} });
    expect(out.json).toEqual({ signed_out: true });
    expect(out.headers.get('set-cookie')).toContain('expires=Thu, 01 Jan 1970');
    expect(await statusAs(url, page)).toBe(401);
  });

  test('works beside cookies of the same name that another server of this host planted', async () => {
    const { url } = await runApp();
    const { cookie, ...key } = await signedIn(url);
    const other = (await signedIn(url)).cookie;
    expect(await statusAs(url, { ...key, cookie: `parley_owner=x; parley_owner=; ${other}; ${cookie}` })).toBe(200);
    expect(await statusAs(url, { ...key, cookie: `parley_owner=x; ${other}` })).toBe(401);
  });

  test('gives a key of the page that is new each time and is in no cookie', async () => {
    const { url } = await runApp();
    const [one, other] = [await signedIn(url), await signedIn(url)];
    expect(one[PAGE_KEY]).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(other[PAGE_KEY]).not.toBe(one[PAGE_KEY]);
    expect(one.cookie).not.toContain(one[PAGE_KEY]);
  });

  test('never adopts a cookie that was there before', async () => {
    const { url } = await runApp();
    const planted = await signedIn(url);
    const fresh = await signedIn(url, { ...SAME_SITE, cookie: planted.cookie });
    expect(fresh.cookie).not.toBe(planted.cookie);
    expect(await statusAs(url, planted)).toBe(401);
    expect(await statusAs(url, fresh)).toBe(200);
  });

  test('ends by itself after twelve hours', async () => {
    let now = Date.now();
    const { url } = await runApp({ now: () => now });
    const page = await signedIn(url);
    now += 12 * 3_600_000 - 1_000;
    expect(await statusAs(url, page)).toBe(200);
    now += 2_000;
    expect(await statusAs(url, page)).toBe(401);
  });

  test('holds at another process with the same key, and after a restart', async () => {
    const [one, other] = [await runApp(), await runApp()];
    const page = await signedIn(one.url);
    await one.close();
    expect(await statusAs(other.url, page)).toBe(200);
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
    expect((await ask(url, path, { method: 'DELETE' })).headers.get('allow')).toBe('GET, POST');
  });
});

test.each([
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost, https://evil.example' },
])('another site signs nobody in, also with the right key: %j', async (headers: Record<string, string>) => {
  const { url } = await runApp();
  const { status, json, headers: answered } = await signIn(url, headers);
  expect({ status, error: json.error }).toEqual({ status: 403, error: 'CROSS_SITE_REFUSED' });
  expect(answered.get('set-cookie')).toBeNull();
});

test('a sign-in opens no route of an agent', async () => {
  const { url } = await runApp();
  const headers = { ...(await signedIn(url)), ...SAME_SITE };
  const { json } = await ask(url, '/owner/api/sessions', { headers, body: SESSION });
  const task = await ask(url, `/api/public/agent/sessions/${json.session_id}/task`, { headers });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect([task.status, (await ask(url, '/api/public/mcp', { headers, body })).status]).toEqual([401, 401]);
});

describe('a cookie without the key of its page', () => {
  const keys = async (url: string): Promise<readonly Record<string, string>[]> => {
    const { [PAGE_KEY]: other = '' } = await signedIn(url);
    return [{}, { [PAGE_KEY]: '' }, { [PAGE_KEY]: 'x' }, { [PAGE_KEY]: 'A'.repeat(43) }, { [PAGE_KEY]: other }];
  };

  test.each([
    ['GET', 'sessions'],
    ['GET', 'overview'],
    ['GET', 'inbox'],
    ['GET', 'sessions/id/events'],
    ['GET', 'sessions/id/log'],
    ['POST', 'sessions'],
    ['POST', 'sessions/id/approve-contract'],
    ['DELETE', 'sessions/id'],
  ])('opens nothing: %s %s', async (method, path) => {
    const { url } = await runApp();
    const { cookie } = await signedIn(url);
    for (const key of await keys(url)) {
      const question = { method, headers: { cookie, ...SAME_SITE, ...key } };
      expect(await ask(url, `/owner/api/${path}`, question)).toMatchObject({
        status: 401,
        json: {
          error: 'UNAUTHORIZED',
          message:
            'The request has a sign-in cookie, but not the page_key that belongs to it. Send the page_key in the header Parley-Page-Key.',
          hint: 'Sign in at /owner/, or send "Authorization: Bearer pok_..." with the owner key.',
        },
      });
    }
  });

  test('signs nobody out', async () => {
    const { url } = await runApp();
    const page = await signedIn(url);
    for (const key of await keys(url)) {
      const headers = { cookie: page.cookie, ...SAME_SITE, ...key };
      expect((await ask(url, '/owner/api/sign-out', { headers, body: {} })).status).toBe(200);
    }
    expect(await statusAs(url, page)).toBe(200);
  });

  test('is no key of a page by itself either', async () => {
    const { url } = await runApp();
    const { [PAGE_KEY]: key = '' } = await signedIn(url);
    expect(await statusAs(url, { [PAGE_KEY]: key })).toBe(401);
  });
});

describe('a write with cookie and key', () => {
  const write = async (headers: Record<string, string>, publicUrl?: string) => {
    const { url } = await runApp({ publicUrl });
    const own = headers.origin === 'own' ? { ...headers, origin: url } : headers;
    return ask(url, '/owner/api/sessions', { headers: { ...(await signedIn(url)), ...own }, body: SESSION });
  };

  test.each([[{ 'sec-fetch-site': 'same-origin' }], [{ origin: 'own' }], [{}]])(
    'from these pages, or from no browser, passes: %j',
    async (headers) => {
      expect((await write(headers)).status).toBe(200);
    },
  );

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('from elsewhere is refused: %j', async (headers: Record<string, string>) => {
    expect(await write(headers)).toMatchObject({ status: 403, json: { ok: false, error: 'CROSS_SITE_REFUSED' } });
  });

  test('passes by the public address when a proxy rewrites Host', async () => {
    const publicUrl = 'https://parley.example.com';
    expect((await write({ origin: publicUrl }, publicUrl)).status).toBe(200);
    expect((await write({ origin: 'https://parley.example.com.evil.example' }, publicUrl)).status).toBe(403);
  });
});
