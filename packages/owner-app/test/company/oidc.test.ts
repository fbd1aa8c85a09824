import { createMemoryStorage } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { createWalker, openProvider, type Walker } from '../../../../test/support/openid-provider.ts';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { addPerson, revoke } from '../people-app.ts';
import {
  type CompanyApp,
  callBack,
  copiedTicket,
  OWN_PAGE,
  oidcOf,
  PUBLIC_URL,
  runCompanyApp,
  runOidcApp,
  start,
} from './company-app.ts';

const ME = '/owner/api/me';

/**
 * Finishes a sign-in, and returns the headers that the page sends afterwards. Returns undefined if the sign-in was
 * refused.
 */
async function finish(url: string, walker: Walker, page_secret: unknown): Promise<Record<string, string> | undefined> {
  const body = JSON.stringify({ page_secret });
  const path = `${url}/owner/api/sign-in/finish`;
  const response = await walker.go(path, { method: 'POST', headers: OWN_PAGE, body });
  const { page_key } = Object(await response.json());
  if (response.status !== 200) return undefined;
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('parley_owner=')) ?? '';
  return { cookie: cookie.split(';')[0] ?? '', 'parley-page-key': String(page_key), ...OWN_PAGE };
}

async function signIn(url: string, account: string): Promise<Record<string, string>> {
  const walker = createWalker();
  const { authorization_url, page_secret } = await start(url, walker);
  await callBack(url, walker, await walker.signInAt(authorization_url, account));
  return (await finish(url, walker, page_secret)) ?? {};
}

/** Returns the number of events in the log of people. */
const storedIn = async ({ storage }: CompanyApp) => (await storage.fetch('people', 0))?.head.seq ?? 0;

describe('a sign-in with an OpenID provider', () => {
  test('finds the same person each time, with the role of the groups', async () => {
    const app = await runOidcApp();
    const first = await signIn(app.url, 'ada');
    const me = (await ask(app.url, ME, { headers: first })).json;
    expect(me).toEqual({ id: expect.stringMatching(/^p_\w{10}$/), name: 'Ada Lovelace', role: 'operator' });
    app.provider.accounts.set('ada', { name: 'Ada King', groups: ['parley-admins', 'developers'] });
    const second = await signIn(app.url, 'ada');
    const now = { id: me.id, name: 'Ada Lovelace', role: 'approver' };
    expect((await ask(app.url, ME, { headers: second })).json).toEqual(now);
    expect((await ask(app.url, ME, { headers: first })).json).toEqual(now);
    const { json } = await ask(app.url, '/owner/api/people', { headers: AS_OWNER });
    expect(json.people).toMatchObject([
      { name: 'Ada Lovelace', key_prefix: null, subject: `${app.provider.issuer} ada` },
    ]);
    expect(await storedIn(app)).toBe(2);
    expect([app.errors, app.faults]).toEqual([[], []]);
  });

  test('asks the provider for a code with PKCE, state and nonce', async () => {
    const { url, provider } = await runOidcApp();
    const { authorization_url } = await start(url, createWalker());
    const asked = new URL(authorization_url);
    expect(asked.origin + asked.pathname).toBe(`${provider.issuer}/auth`);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: 'parley',
      redirect_uri: 'http://parley.example/owner/sign-in/callback',
      response_type: 'code',
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  test('sets cookies that the browser sends only to the next step', async () => {
    const { url } = await runOidcApp();
    const walker = createWalker();
    const started = await walker.go(`${url}/owner/api/sign-in/company`, { method: 'POST', headers: OWN_PAGE });
    const { authorization_url } = (await started.json()) as { authorization_url: string };
    const scope = (name: string, path: string, sameSite: string) =>
      new RegExp(`^${name}=[\\w.-]+; path=${path}; expires=[^;]+; samesite=${sameSite}; httponly$`);
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(scope('parley_transaction', '/owner/sign-in/callback', 'lax')),
    ]);
    const { status, headers } = await callBack(url, walker, await walker.signInAt(authorization_url, 'ada'));
    expect([status, headers.get('location')]).toEqual([303, '/owner/']);
    expect(headers.getSetCookie()).toEqual([
      'parley_transaction=; path=/owner/sign-in/callback; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=lax; httponly',
      expect.stringMatching(scope('parley_ticket', '/owner/api/sign-in/finish', 'strict')),
    ]);
  });

  test('sets secure cookies for a public address with https', async () => {
    const { url } = await runOidcApp({ publicUrl: 'https://parley.example' });
    const { headers } = await ask(url, '/owner/api/sign-in/company', { method: 'POST' });
    expect(headers.get('set-cookie')).toContain('; secure; httponly');
  });

  test('works with several processes, one for each step', async () => {
    const storage = createMemoryStorage();
    const provider = await openProvider({ publicUrl: PUBLIC_URL });
    provider.accounts.set('ada', { name: 'Ada', groups: ['everyone'] });
    const process = (index: number) =>
      runCompanyApp({ oidc: oidcOf(provider.issuer) }, index === 0 ? storage : storage.sibling());
    const [one, two, three, four] = await Promise.all([process(0), process(1), process(2), process(3)]);
    const walker = createWalker();
    const { authorization_url, page_secret } = await start(one.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    expect((await callBack(two.url, walker, back)).status).toBe(303);
    const headers = (await finish(three.url, walker, page_secret)) ?? {};
    expect((await ask(four.url, ME, { headers })).json).toMatchObject({ name: 'Ada', role: 'viewer' });
  });

  test('takes the claims of an ID token, and needs no secret of a public client', async () => {
    const provider = await openProvider({ publicUrl: PUBLIC_URL, isConfidential: false, hasClaimsInToken: true });
    provider.accounts.set('ada', { name: 'Ada', groups: 'parley-admins' });
    const { url } = await runCompanyApp({ oidc: { ...oidcOf(provider.issuer), clientSecret: undefined } });
    const headers = await signIn(url, 'ada');
    expect((await ask(url, ME, { headers })).json).toMatchObject({ name: 'Ada', role: 'approver' });
  });

  test('is offered by the service, and keys still work', async () => {
    const { url } = await runOidcApp();
    expect((await ask(url, '/owner/api/sign-in')).json).toEqual({ company: true });
    expect((await ask((await runCompanyApp({})).url, '/owner/api/sign-in')).json).toEqual({ company: false });
    expect((await ask(url, ME, { headers: AS_OWNER })).json).toMatchObject({ id: 'owner' });
    const { headers } = await addPerson(url, 'Bob', 'viewer');
    expect((await ask(url, ME, { headers })).json).toMatchObject({ name: 'Bob' });
  });

  test('has no route on a service without a provider', async () => {
    const { url } = await runCompanyApp({});
    for (const path of ['/owner/api/sign-in/company', '/owner/api/sign-in/finish'])
      expect(await ask(url, path, { body: {} })).toMatchObject({ status: 404, json: { error: 'NOT_FOUND' } });
    expect((await ask(url, '/owner/sign-in/callback?code=x&state=y')).status).toBe(404);
  });

  test.each([
    [{ name: 'a\u0000\u202eb\n c', groups: ['everyone'] }, 'ab c'],
    [{ name: '<b>Eve</b>', groups: ['everyone'] }, '<b>Eve</b>'],
    [{ name: 7, groups: ['everyone'] }, 'ada'],
    [{ name: '', groups: ['everyone', 7, null, { a: 1 }] }, 'ada'],
    [{ groups: ['everyone'] }, 'ada'],
    [{ name: 'x'.repeat(5_000), groups: ['everyone'] }, 'x'.repeat(190)],
  ])('takes the odd claims %j', async (account, name) => {
    const { url, provider } = await runOidcApp();
    provider.accounts.set('ada', account);
    const headers = await signIn(url, 'ada');
    expect((await ask(url, ME, { headers })).json).toMatchObject({ name, role: 'viewer' });
  });
});

describe('a callback that is refused', () => {
  const NOT_BEGUN =
    'This browser did not begin this sign-in, or the sign-in is already finished, or it began more than 10 minutes ago. Sign in again.';

  test('is answered with a page without scripts that explains what to do and may not be framed', async () => {
    const app = await runOidcApp();
    const { status, headers, text, said } = await callBack(
      app.url,
      createWalker(),
      `${PUBLIC_URL}/owner/sign-in/callback`,
    );
    expect([status, said]).toEqual([403, NOT_BEGUN]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(text).toContain('<a href="/owner/">Back to the sign-in page</a>');
    expect(await storedIn(app)).toBe(0);
  });

  test('has a state that belongs to no sign-in of this browser', async () => {
    const app = await runOidcApp();
    const [ada, eve] = [createWalker(), createWalker()];
    const { authorization_url } = await start(app.url, ada);
    const back = await ada.signInAt(authorization_url, 'ada');
    await start(app.url, eve);
    expect(await callBack(app.url, eve, back)).toMatchObject({ status: 403, said: NOT_BEGUN });
    for (const forged of [back.replace(/state=[^&]+/, 'state=x'), `${back}&state=x`, back.replace(/state=[^&]+/, '')]) {
      await start(app.url, ada);
      expect(await callBack(app.url, ada, forged)).toMatchObject({ status: 403, said: NOT_BEGUN });
    }
    expect(await storedIn(app)).toBe(0);
  });

  test('comes a second time', async () => {
    const app = await runOidcApp();
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    expect((await callBack(app.url, walker, back)).status).toBe(303);
    expect(await callBack(app.url, walker, back)).toMatchObject({ status: 403, said: NOT_BEGUN });
  });

  test('comes a second time, with a copy of the cookie', async () => {
    const app = await runOidcApp();
    const walker = createWalker();
    const started = await walker.go(`${app.url}/owner/api/sign-in/company`, { method: 'POST', headers: OWN_PAGE });
    const { authorization_url } = (await started.json()) as { authorization_url: string };
    const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = new URL(await walker.signInAt(authorization_url, 'ada'));
    const again = () => ask(app.url, back.pathname + back.search, { headers: { cookie } });
    expect((await again()).status).toBe(303);
    const { status, text } = await again();
    expect(status).toBe(403);
    expect(text).toContain('This sign-in has expired, or it was used already. Sign in again.');
    expect(app.faults).toEqual(['server responded with an error in the response body: invalid_grant']);
    expect(await storedIn(app)).toBe(1);
  });

  test('comes ten minutes later', async () => {
    let now = Date.now();
    const app = await runOidcApp({ now: () => now });
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    now += 600_000;
    expect(await callBack(app.url, walker, back)).toMatchObject({ status: 403, said: NOT_BEGUN });
  });

  test.each([
    [
      'another nonce',
      /nonce=[^&]+/,
      'nonce=forged',
      'The answer of the sign-in service does not belong to this sign-in, or has expired. Sign in again.',
    ],
    [
      'another PKCE challenge',
      /code_challenge=[^&]+/,
      `code_challenge=${'x'.repeat(43)}`,
      'This sign-in has expired, or it was used already. Sign in again.',
    ],
  ])('was asked for with %s', async (_what, from, to, said) => {
    const app = await runOidcApp();
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url.replace(from, to), 'ada');
    expect(await callBack(app.url, walker, back)).toMatchObject({ status: 403, said });
    expect(app.faults).toHaveLength(1);
    expect(await storedIn(app)).toBe(0);
  });

  test.each([
    ['names another issuer', (back: URL) => back.searchParams.set('iss', 'https://evil.example')],
    ['names no issuer, although the provider names itself', (back: URL) => back.searchParams.delete('iss')],
    ['has two codes', (back: URL) => back.searchParams.append('code', 'another')],
  ])('%s', async (_what, forge) => {
    const app = await runOidcApp();
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const back = new URL(await walker.signInAt(authorization_url, 'ada'));
    forge(back);
    expect(await callBack(app.url, walker, back.href)).toMatchObject({
      status: 403,
      said: 'The answer of the sign-in service does not belong to this sign-in, or has expired. Sign in again.',
    });
    expect(await storedIn(app)).toBe(0);
  });

  test('has a code that the provider no longer accepts', async () => {
    const app = await runOidcApp();
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    const code = new URL(back).searchParams.get('code') ?? '';
    await (await app.provider.provider.AuthorizationCode.find(code))?.destroy();
    const said = 'This sign-in has expired, or it was used already. Sign in again.';
    expect(await callBack(app.url, walker, back)).toMatchObject({ status: 403, said });
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['<script>', 'unknown error'],
  ])('has the error %s', async (error, word) => {
    const app = await runOidcApp();
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const state = new URL(authorization_url).searchParams.get('state');
    const query = new URLSearchParams({
      error,
      state: state ?? '',
      iss: app.provider.issuer,
      error_description: '<b>',
    });
    const { status, said, text } = await callBack(app.url, walker, `${PUBLIC_URL}/owner/sign-in/callback?${query}`);
    expect([status, said]).toEqual([
      403,
      `The sign-in service of your company did not sign you in (${word}). Try again, or ask whoever runs that service.`,
    ]);
    expect(text).not.toMatch(/<script>|<b>/);
  });

  test.each([
    [[]],
    [['others']],
    ['others'],
    [undefined],
    [{ developers: true }],
    [['Developers', ' developers', '*']],
  ])('is of a person with the groups %j, none of which has a role', async (groups) => {
    const app = await runOidcApp();
    app.provider.accounts.set('ada', { name: 'Ada', groups });
    const walker = createWalker();
    const { authorization_url, page_secret } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    expect(await callBack(app.url, walker, back)).toMatchObject({
      status: 403,
      said: 'The claim groups of your company account contains no group with a role on this service. Ask whoever runs this service to add you to a group, or to give one of your groups a role (PARLEY_OIDC_ROLES).',
    });
    expect(await finish(app.url, walker, page_secret)).toBeUndefined();
    expect(await storedIn(app)).toBe(0);
  });

  test('comes while the provider does not answer or does not know the client', async () => {
    const app = await runOidcApp({});
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    await app.provider.close();
    const NO_ANSWER =
      'The sign-in service of your company gave no valid answer. Try again in a minute. If that fails too, tell whoever runs this service. Signing in with a key still works.';
    expect(await callBack(app.url, walker, back)).toMatchObject({ status: 403, said: NO_ANSWER });
    const other = await runCompanyApp({ oidc: oidcOf(app.provider.issuer) });
    expect(await ask(other.url, '/owner/api/sign-in/company', { body: {} })).toMatchObject({
      status: 401,
      json: { error: 'UNAUTHORIZED', message: NO_ANSWER },
    });
    expect([app.faults.length, other.faults.length]).toEqual([1, 1]);
    for (let count = 0; count < 20; count += 1) await ask(other.url, '/owner/api/sign-in/company', { body: {} });
    expect(other.faults.length).toBe(1);
  });

  test('reaches a service with a wrong client secret', async () => {
    const provider = await openProvider({ publicUrl: PUBLIC_URL });
    provider.accounts.set('ada', { groups: ['everyone'] });
    const { url } = await runCompanyApp({ oidc: { ...oidcOf(provider.issuer), clientSecret: 'wrong' } });
    const walker = createWalker();
    const { authorization_url } = await start(url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    expect(await callBack(url, walker, back)).toMatchObject({
      status: 403,
      said: 'The sign-in service of your company refused this service (invalid_client). Tell whoever runs this service: the client id or the secret may be wrong.',
    });
  });

  test('comes with a forged code twelve times, and keeps nobody at the same address from signing in', async () => {
    const app = await runOidcApp({ now: () => 1_800_000_000_000 });
    const forge = async (): Promise<number> => {
      const walker = createWalker();
      const { authorization_url } = await start(app.url, walker);
      const state = new URL(authorization_url).searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: 'forged', state, iss: app.provider.issuer });
      return (await callBack(app.url, walker, `${PUBLIC_URL}/owner/sign-in/callback?${query}`)).status;
    };
    expect(await Promise.all(Array.from({ length: 12 }, forge))).toEqual(Array.from({ length: 12 }, () => 403));
    expect(app.faults).toHaveLength(12);
    expect((await ask(app.url, ME, { headers: await signIn(app.url, 'ada') })).json).toMatchObject({
      name: 'Ada Lovelace',
    });
  });

  test('without an encrypted cookie reads no storage and asks no provider', async () => {
    const app = await runOidcApp();
    let reads = 0;
    const { fetch } = app.storage;
    app.storage.fetch = (...asked) => {
      reads += 1;
      return fetch(...asked);
    };
    for (const cookie of ['', 'parley_transaction=', `parley_transaction=${'A'.repeat(200)}`, 'parley_transaction=%'])
      for (const query of ['', '?code=a&state=b', '?state', `?state=${'x'.repeat(5_000)}`, '?%ff=%'])
        expect((await ask(app.url, `/owner/sign-in/callback${query}`, { headers: { cookie } })).status).toBe(403);
    expect([reads, app.faults, app.errors]).toEqual([0, [], []]);
  });
});

describe('the last step of a sign-in', () => {
  test('needs the ticket and the page secret of the same sign-in', async () => {
    const app = await runOidcApp();
    const [ada, eve] = [createWalker(), createWalker()];
    const { authorization_url, page_secret } = await start(app.url, ada);
    await callBack(app.url, ada, await ada.signInAt(authorization_url, 'ada'));
    const other = await start(app.url, eve);
    expect(await finish(app.url, eve, page_secret)).toBeUndefined();
    for (const wrong of [other.page_secret, '', undefined, 7, { page_secret }, 'x'.repeat(1_000)]) {
      const walker = createWalker();
      const begun = await start(app.url, walker);
      await callBack(app.url, walker, await walker.signInAt(begun.authorization_url, 'ada'));
      expect(await finish(app.url, walker, wrong)).toBeUndefined();
      expect(await finish(app.url, walker, begun.page_secret)).toBeUndefined();
    }
    expect(await finish(app.url, ada, page_secret)).toBeDefined();
    expect(await finish(app.url, ada, page_secret)).toBeUndefined();
  });

  test('takes a ticket once, and never after the sign-out', async () => {
    const app = await runOidcApp();
    const finishCopy = await copiedTicket(app);
    const first = await finishCopy(app);
    expect([first.status, (await finishCopy(app)).status]).toEqual([200, 401]);
    expect((await ask(app.url, ME, { headers: first.page })).status).toBe(200);
    await ask(app.url, '/owner/api/sign-out', { headers: first.page, body: {} });
    expect((await finishCopy(app)).status).toBe(401);
    expect((await ask(app.url, ME, { headers: first.page })).status).toBe(401);
  });

  test('gives a copy of the ticket at another process the same sign-in, which one sign-out ends there', async () => {
    const app = await runOidcApp();
    const other = await runCompanyApp({ oidc: oidcOf(app.provider.issuer) }, app.storage);
    const finishCopy = await copiedTicket(app);
    const [first, copy] = [await finishCopy(app), await finishCopy(other)];
    expect([first.status, copy.status]).toEqual([200, 200]);
    await ask(other.url, '/owner/api/sign-out', { headers: first.page, body: {} });
    for (const { page } of [first, copy]) expect((await ask(other.url, ME, { headers: page })).status).toBe(401);
    expect((await finishCopy(other)).status).toBe(401);
  });

  test('is refused at every process after the person was revoked, also if an approver has readmitted the account', async () => {
    const app = await runOidcApp();
    const other = await runCompanyApp({ oidc: oidcOf(app.provider.issuer) }, app.storage);
    const finishCopy = await copiedTicket(app);
    const [ada] = (await ask(app.url, '/owner/api/people', { headers: AS_OWNER })).json.people;
    await revoke(app.url, ada.person_id);
    expect([(await finishCopy(app)).status, (await finishCopy(other)).status]).toEqual([401, 401]);
    await ask(app.url, `/owner/api/people/${ada.person_id}/readmit`, { headers: AS_OWNER, body: {} });
    expect([(await finishCopy(app)).status, (await finishCopy(other)).status]).toEqual([401, 401]);
  });

  test('is refused two minutes later, and to a page of another site', async () => {
    let now = Date.now();
    const app = await runOidcApp({ now: () => now });
    const walker = createWalker();
    const { authorization_url, page_secret } = await start(app.url, walker);
    await callBack(app.url, walker, await walker.signInAt(authorization_url, 'ada'));
    const foreign = { 'sec-fetch-site': 'same-site' };
    for (const path of ['company', 'finish'])
      expect(
        (await walker.go(`${app.url}/owner/api/sign-in/${path}`, { method: 'POST', headers: foreign, body: '{}' }))
          .status,
      ).toBe(403);
    now += 120_000;
    expect(await finish(app.url, walker, page_secret)).toBeUndefined();
  });

  test('answers with a page key; the cookie without the page key gives no access', async () => {
    const { url } = await runOidcApp();
    const headers = await signIn(url, 'ada');
    const { 'parley-page-key': _key, ...cookieOnly } = headers;
    expect((await ask(url, ME, { headers: cookieOnly })).status).toBe(401);
    expect((await ask(url, '/owner/api/pause-all', { headers: cookieOnly, body: {} })).status).toBe(401);
    expect((await ask(url, '/owner/api/pause-all', { headers, body: {} })).status).toBe(200);
    const foreign = { ...headers, 'sec-fetch-site': 'cross-site' };
    expect((await ask(url, '/owner/api/pause-all', { headers: foreign, body: {} })).status).toBe(403);
  });
});

describe('a person who has signed in with a provider', () => {
  test('is named in events', async () => {
    const { url } = await runOidcApp();
    const headers = await signIn(url, 'ada');
    const session = await createSession(url);
    await ask(url, `/owner/api/sessions/${session}/start`, { headers, body: {} });
    const { text } = await ask(url, `/owner/api/sessions/${session}/log`, { headers });
    expect(JSON.parse(JSON.parse(text.trim().split('\n')[1] ?? '').event).person).toMatchObject({
      name: 'Ada Lovelace',
    });
  });

  test('is refused from the next request on after being revoked, and can sign in again only after being readmitted', async () => {
    const app = await runOidcApp();
    const before = await signIn(app.url, 'ada');
    const { id } = (await ask(app.url, ME, { headers: before })).json;
    await revoke(app.url, id);
    expect((await ask(app.url, ME, { headers: before })).json).toMatchObject({
      error: 'UNAUTHORIZED',
      message: 'The person who signed in was revoked.',
    });
    const walker = createWalker();
    const { authorization_url, page_secret } = await start(app.url, walker);
    const back = await walker.signInAt(authorization_url, 'ada');
    expect(await callBack(app.url, walker, back)).toMatchObject({
      status: 403,
      said: `You (${id}) were revoked, so your company account cannot sign in. An approver can readmit you: parley people readmit ${id}.`,
    });
    expect(await finish(app.url, walker, page_secret)).toBeUndefined();
    expect(await storedIn(app)).toBe(2);
    const readmitted = await ask(app.url, `/owner/api/people/${id}/readmit`, { headers: AS_OWNER, body: {} });
    expect(readmitted.json.revoked).toMatchObject({ person_id: id, readmitted: true });
    const after = await signIn(app.url, 'ada');
    expect((await ask(app.url, ME, { headers: after })).json).toMatchObject({ name: 'Ada Lovelace', role: 'operator' });
    expect((await ask(app.url, ME, { headers: before })).status).toBe(401);
  });

  test('is out everywhere once a sign-in is refused because the groups have no role', async () => {
    const app = await runOidcApp();
    const before = await signIn(app.url, 'ada');
    const { id } = (await ask(app.url, ME, { headers: before })).json;
    const stream = await fetch(`${app.url}/owner/api/sessions/${await createSession(app.url)}/events`, {
      headers: before,
    });
    app.provider.accounts.set('ada', { name: 'Ada Lovelace', groups: [] });
    const walker = createWalker();
    const { authorization_url } = await start(app.url, walker);
    expect(await callBack(app.url, walker, await walker.signInAt(authorization_url, 'ada'))).toMatchObject({
      status: 403,
      said: expect.stringContaining('contains no group with a role on this service'),
    });
    expect((await ask(app.url, ME, { headers: before })).json.message).toBe('The person who signed in was revoked.');
    await expect(stream.text()).resolves.toContain('session.created');
    app.provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['everyone'] });
    const after = await signIn(app.url, 'ada');
    expect((await ask(app.url, ME, { headers: after })).json).toMatchObject({ name: 'Ada Lovelace', role: 'viewer' });
    expect((await ask(app.url, ME, { headers: after })).json.id).not.toBe(id);
    expect((await ask(app.url, ME, { headers: before })).status).toBe(401);
    expect(await storedIn(app)).toBe(4);
  });

  test('has fewer rights in every earlier sign-in once a sign-in finds fewer groups', async () => {
    const app = await runOidcApp();
    const before = await signIn(app.url, 'ada');
    expect((await ask(app.url, '/owner/api/pause-all', { headers: before, body: {} })).status).toBe(200);
    app.provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['everyone'] });
    await signIn(app.url, 'ada');
    expect((await ask(app.url, '/owner/api/pause-all', { headers: before, body: {} })).json.error).toBe(
      'ROLE_FORBIDDEN',
    );
  });

  test('signs out of the service, and gets the address for signing out of the provider', async () => {
    const app = await runOidcApp();
    const headers = await signIn(app.url, 'ada');
    const { json } = await ask(app.url, '/owner/api/sign-out', { headers, body: {} });
    const { end_session_url, ...rest } = json;
    expect(rest).toEqual({ signed_out: true });
    const ending = new URL(end_session_url);
    expect(ending.origin + ending.pathname).toBe(`${app.provider.issuer}/session/end`);
    expect(Object.fromEntries(ending.searchParams)).toEqual({
      client_id: 'parley',
      post_logout_redirect_uri: 'http://parley.example/owner/',
    });
    expect((await ask(app.url, ME, { headers })).status).toBe(401);
    expect((await ask(app.url, '/owner/api/sign-out', { headers, body: {} })).json).toEqual({ signed_out: true });
  });

  test('is signed out if the service no longer has the provider', async () => {
    const app = await runOidcApp();
    const headers = await signIn(app.url, 'ada');
    expect((await ask(app.url, ME, { headers })).status).toBe(200);
    const other = await runCompanyApp({}, app.storage);
    expect((await ask(other.url, ME, { headers })).json).toMatchObject({
      error: 'UNAUTHORIZED',
      message:
        'The service no longer accepts sign-ins of the company account that you used. Sign in again, or ask whoever runs this service.',
    });
  });

  test('signs out of the service even if the provider does not answer', async () => {
    const storage = createMemoryStorage();
    const app = await runOidcApp();
    const headers = await signIn(app.url, 'ada');
    await app.provider.close();
    const other = await runCompanyApp({ oidc: oidcOf(app.provider.issuer) }, storage);
    const person = await other.people.admit({ subject: `${app.provider.issuer} ada`, name: 'Ada', role: 'viewer' });
    expect(person.role).toBe('viewer');
    expect((await ask(other.url, '/owner/api/sign-out', { headers, body: {} })).json).toEqual({ signed_out: true });
  });
});
