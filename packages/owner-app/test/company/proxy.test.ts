import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openProvider } from '../../../../test/support/openid-provider.ts';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { beginPost } from '../late/late-request.ts';
import { addPerson, revoke, signInWith } from '../people-app.ts';
import { KEY } from '../running-app.ts';
import { type CompanyApp, oidcOf, PUBLIC_URL, ROLES, runCompanyApp } from './company-app.ts';

const ME = '/owner/api/me';
const START = '/owner/api/sign-in/company';
const SECRET = 'a-secret-that-only-the-proxy-knows';

type Headers = Record<string, string>;

const proxyApp = (trustedProxies: readonly string[] = ['127.0.0.1']) =>
  runCompanyApp({
    proxySignIn: {
      userHeader: 'X-Forwarded-User',
      groupsHeader: 'X-Forwarded-Groups',
      secret: SECRET,
      roles: ROLES,
      trustedProxies,
    },
  });

/** The headers that the proxy adds to the requests of a person. */
const via = (user: string, groups = 'developers'): Headers => ({
  'x-forwarded-user': user,
  'x-forwarded-groups': groups,
  'parley-proxy-secret': SECRET,
});

/**
 * Signs in through the proxy, and returns the headers that the page sends afterwards. The headers of the proxy are not
 * included.
 */
async function signIn(url: string, headers: Headers): Promise<Headers> {
  const heard = await ask(url, START, { headers: { ...headers, 'sec-fetch-site': 'same-origin' }, body: '' });
  const cookie = (heard.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { cookie, 'parley-page-key': String(heard.json.page_key), 'sec-fetch-site': 'same-origin' };
}

const storedIn = async ({ storage }: CompanyApp) => (await storage.fetch('people', 0))?.head.seq ?? 0;

/** Sends a request with a list of headers, in which a name may occur several times. */
async function post(url: string, path: string, headers: readonly (readonly [string, string])[]) {
  const { request } = await import('node:http');
  return await new Promise<{ status: number; message: string }>((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    const list = ['Host', host, 'Content-Length', '0', ...headers.flat()];
    const sent = request({ hostname, port, path, method: 'POST', headers: list }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, message: String(JSON.parse(text).message) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a sign-in by a proxy', () => {
  test('finds the same person each time, with the role of the present groups', async () => {
    const app = await proxyApp();
    const page = await signIn(app.url, via('ada'));
    const me = (await ask(app.url, ME, { headers: { ...page, ...via('ada') } })).json;
    expect(me).toEqual({ id: expect.stringMatching(/^p_\w{10}$/), name: 'ada', role: 'operator' });
    const promoted = { ...page, ...via('ada', 'everyone, parley-admins') };
    expect((await ask(app.url, ME, { headers: promoted })).json).toEqual({ ...me, role: 'approver' });
    await signIn(app.url, via('ada', 'parley-admins'));
    const { json } = await ask(app.url, '/owner/api/people', { headers: AS_OWNER });
    expect(json.people).toMatchObject([{ name: 'ada', key_prefix: null, subject: 'proxy ada', role: 'approver' }]);
    expect(await storedIn(app)).toBe(2);
  });

  test('finds the same person in each spelling of the user, with and without composed letters', async () => {
    const app = await proxyApp();
    const sent = (user: string) => via(Buffer.from(user, 'utf8').toString('latin1'));
    const page = await signIn(app.url, sent('josé'));
    const { json: me } = await ask(app.url, ME, { headers: { ...page, ...sent('JOSE\u0301') } });
    expect(me).toMatchObject({ name: 'josé' });
    const other = await signIn(app.url, sent('Jose\u0301'));
    expect((await ask(app.url, ME, { headers: { ...other, ...sent('JOSÉ') } })).json).toEqual(me);
    expect(await storedIn(app)).toBe(1);
  });

  test('refuses a new user whose name could be taken for another one', async () => {
    const app = await proxyApp();
    for (const user of ['ada\u3164', 'a\u200bda', 'ａda', 'ada\ue000']) {
      const headers = via(Buffer.from(user, 'utf8').toString('latin1'));
      expect((await ask(app.url, START, { headers, body: '' })).status, user).toBeGreaterThanOrEqual(400);
    }
    expect(await storedIn(app)).toBe(0);
  });

  test('judges a write by the groups of the latest request, not by those of its own head', async () => {
    const { url, server, people } = await proxyApp();
    const page = await signIn(url, via('ada', 'parley-admins'));
    const session = await createSession(url);
    const arrived = once(server, 'request');
    const headers = { ...page, ...via('ada', 'parley-admins') };
    const late = await beginPost(url, `/sessions/${session}/authorize`, { headers, body: '{"stage":"build"}' });
    await arrived;
    await ask(url, '/owner/api/sign-in');
    expect((await ask(url, ME, { headers: { ...page, ...via('ada') } })).json.role).toBe('operator');
    expect(await late.finish()).toBe('403 ROLE_FORBIDDEN');
    expect((await people.calls().listPeople()).people).toMatchObject([{ name: 'ada', role: 'operator' }]);
  });

  test('names the person in events', async () => {
    const { url } = await proxyApp();
    const headers = { ...(await signIn(url, via('ada'))), ...via('ada') };
    const session = await createSession(url);
    expect((await ask(url, `/owner/api/sessions/${session}/start`, { headers, body: {} })).status).toBe(200);
    const { text } = await ask(url, `/owner/api/sessions/${session}/log`, { headers });
    expect(JSON.parse(JSON.parse(text.trim().split('\n')[1] ?? '').event).person).toMatchObject({ name: 'ada' });
  });

  test.each(['Ḿáṱ', '艾达', '👩 Ada', "O'Brien <b>&", 'DOMAIN\\ada', 'ada@example.com', 'x'.repeat(200)])(
    'takes the user %j, sent as UTF-8',
    async (user) => {
      const { url } = await proxyApp();
      const sent = Buffer.from(user, 'utf8').toString('latin1');
      const page = await signIn(url, via(sent));
      const me = await ask(url, ME, { headers: { ...page, ...via(sent) } });
      expect(me.json.name).toBe(user.slice(0, 190));
    },
  );

  test('leaves keys and sign-ins with keys as they are', async () => {
    const { url } = await proxyApp();
    const bob = await addPerson(url, 'Bob', 'viewer');
    for (const extra of [{}, via('ada'), { ...via('ada'), 'parley-proxy-secret': 'wrong' }]) {
      expect((await ask(url, ME, { headers: { ...bob.headers, ...extra } })).json).toMatchObject({ name: 'Bob' });
      expect((await ask(url, ME, { headers: { ...AS_OWNER, ...extra } })).json).toMatchObject({ id: 'owner' });
      const page = await signInWith(url, bob.key);
      expect((await ask(url, ME, { headers: { ...page, ...extra } })).json).toMatchObject({ name: 'Bob' });
      const owner = await signInWith(url, KEY);
      expect((await ask(url, ME, { headers: { ...owner, ...extra } })).json).toMatchObject({ id: 'owner' });
    }
  });

  test('works together with an OpenID provider, which signs in people who come without the header', async () => {
    const provider = await openProvider({ publicUrl: PUBLIC_URL });
    const app = await runCompanyApp({
      oidc: oidcOf(provider.issuer),
      proxySignIn: {
        userHeader: 'X-Forwarded-User',
        groupsHeader: 'X-Forwarded-Groups',
        secret: SECRET,
        roles: ROLES,
        trustedProxies: ['127.0.0.1'],
      },
    });
    expect((await ask(app.url, START, { body: '' })).json.authorization_url).toContain(provider.issuer);
    expect((await ask(app.url, START, { body: '', headers: via('ada') })).json.page_key).toMatch(/^[\w-]{43}$/);
  });
});

describe('the header of a proxy', () => {
  const NOT_TRUSTED =
    'X-Forwarded-User was ignored: the request does not come from a proxy in PARLEY_TRUSTED_PROXIES. Tell whoever runs this service.';
  const NO_SECRET =
    'X-Forwarded-User was ignored: the header Parley-Proxy-Secret does not contain the secret (PARLEY_AUTH_SECRET). Tell whoever runs this service.';
  const NO_USER =
    'X-Forwarded-User must be the name of a user: 1 to 200 characters of UTF-8 on one line, without spaces at its ends.';

  test('is ignored if the client is not a trusted proxy', async () => {
    const app = await proxyApp(['10.0.0.0/8']);
    for (const extra of [{}, { 'x-forwarded-for': '10.0.0.1' }, { 'x-forwarded-for': '127.0.0.1, 10.0.0.1' }]) {
      const headers = { ...via('ada', 'parley-admins'), ...extra };
      expect((await ask(app.url, START, { headers, body: '' })).json).toMatchObject({
        error: 'UNAUTHORIZED',
        message: NOT_TRUSTED,
      });
      expect((await ask(app.url, ME, { headers })).json).toMatchObject({ error: 'UNAUTHORIZED', message: NOT_TRUSTED });
    }
    expect(await storedIn(app)).toBe(0);
  });

  test('is ignored without the secret, and with another one', async () => {
    const app = await proxyApp();
    const { 'parley-proxy-secret': _right, ...without } = via('ada', 'parley-admins');
    const wrong = ['', 'wrong', SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase(), 'x'.repeat(5_000)];
    for (const headers of [without, ...wrong.map((secret) => ({ ...without, 'parley-proxy-secret': secret }))]) {
      expect((await ask(app.url, START, { headers, body: '' })).json).toMatchObject({ message: NO_SECRET });
      expect((await ask(app.url, ME, { headers })).json).toMatchObject({ message: NO_SECRET });
    }
    expect(await storedIn(app)).toBe(0);
  });

  test('signs nobody in if it is missing, comes twice or has another form', async () => {
    const app = await proxyApp();
    for (const [what, headers, message] of [
      [
        'two users',
        [
          ['X-Forwarded-User', 'ada'],
          ['x-forwarded-user', 'eve'],
          ['Parley-Proxy-Secret', SECRET],
        ],
        'The proxy must send X-Forwarded-User once, not 2 times. Tell whoever runs this service: the proxy must remove this header from what it receives.',
      ],
      [
        'the same user twice',
        [
          ['X-Forwarded-User', 'ada'],
          ['X-Forwarded-User', 'ada'],
          ['Parley-Proxy-Secret', SECRET],
        ],
        'The proxy must send X-Forwarded-User once, not 2 times. Tell whoever runs this service: the proxy must remove this header from what it receives.',
      ],
      [
        'two lists of groups',
        [
          ['X-Forwarded-User', 'ada'],
          ['x-forwarded-groups', 'developers'],
          ['Parley-Proxy-Secret', SECRET],
        ],
        'The proxy must send X-Forwarded-Groups once, not 2 times. Tell whoever runs this service: the proxy must remove this header from what it receives.',
      ],
      [
        'two secrets',
        [
          ['X-Forwarded-User', 'ada'],
          ['Parley-Proxy-Secret', SECRET],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_SECRET,
      ],
      [
        'no user',
        [['Parley-Proxy-Secret', SECRET]],
        'The proxy sent no X-Forwarded-User, so you are not signed in at the proxy. Sign in there first.',
      ],
      [
        'an empty user',
        [
          ['X-Forwarded-User', ''],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
      [
        'bytes that are no UTF-8',
        [
          ['X-Forwarded-User', 'ad\u00e1'],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
      [
        'a tab',
        [
          ['X-Forwarded-User', 'a\tb'],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
      [
        'a user of 201 characters',
        [
          ['X-Forwarded-User', 'x'.repeat(201)],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
      [
        'a user of 10,000 characters',
        [
          ['X-Forwarded-User', 'x'.repeat(10_000)],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
      [
        'a hidden character',
        [
          ['X-Forwarded-User', Buffer.from('a\u202eb').toString('latin1')],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
      [
        'a byte order mark',
        [
          ['X-Forwarded-User', Buffer.from('\ufeffada').toString('latin1')],
          ['Parley-Proxy-Secret', SECRET],
        ],
        NO_USER,
      ],
    ] as const) {
      const sent = [...headers, ['X-Forwarded-Groups', 'parley-admins']] as const;
      expect(await post(app.url, START, sent), what).toEqual({ status: 401, message });
    }
    expect(await storedIn(app)).toBe(0);
  });

  test('has no role with other groups', async () => {
    const app = await proxyApp();
    for (const groups of ['', 'others', 'Developers', '*', 'developers;parley-admins', ','.repeat(5_000)]) {
      const { status, json } = await ask(app.url, START, { headers: via('ada', groups), body: '' });
      expect([groups, status, json.message]).toEqual([
        groups,
        401,
        'The header X-Forwarded-Groups of your proxy contains no group with a role on this service. Ask whoever runs this service to add you to a group, or to give one of your groups a role (PARLEY_OIDC_ROLES).',
      ]);
    }
    expect(await storedIn(app)).toBe(0);
  });

  test('by itself authenticates no request, so no page of another site can write through the proxy', async () => {
    const app = await proxyApp();
    const NO_PAGE =
      'The request has neither the owner key nor a valid sign-in. The header of the proxy does not replace a sign-in. First call POST /owner/api/sign-in/company, which answers with a page_key.';
    expect((await ask(app.url, ME, { headers: via('ada') })).json).toMatchObject({
      error: 'UNAUTHORIZED',
      message: NO_PAGE,
    });
    expect((await ask(app.url, '/owner/api/pause-all', { headers: via('ada'), body: {} })).status).toBe(401);
    const { cookie = '' } = await signIn(app.url, via('ada'));
    expect((await ask(app.url, '/owner/api/pause-all', { headers: { ...via('ada'), cookie }, body: {} })).status).toBe(
      401,
    );
    for (const site of ['cross-site', 'same-site'])
      expect(
        (await ask(app.url, START, { headers: { ...via('ada'), 'sec-fetch-site': site }, body: '' })).json,
      ).toMatchObject({ error: 'CROSS_SITE_REFUSED' });
    const origin = { ...via('ada'), origin: 'https://evil.example' };
    expect((await ask(app.url, START, { headers: origin, body: '' })).status).toBe(403);
  });

  test('is needed with each request of the sign-in, and names the same person', async () => {
    const app = await proxyApp();
    const page = await signIn(app.url, via('ada'));
    const refused = async (extra: Headers) => (await ask(app.url, ME, { headers: { ...page, ...extra } })).json.message;
    expect(await refused({})).toBe(
      'The proxy sent no X-Forwarded-User, so you are not signed in at the proxy. Sign in there first.',
    );
    expect(await refused({ ...via('ada'), 'parley-proxy-secret': 'wrong' })).toBe(NO_SECRET);
    expect(await refused(via('eve'))).toBe(
      'The proxy now names a person other than the one who signed in. Sign in again.',
    );
    expect((await ask(app.url, ME, { headers: { ...page, ...via('ada') } })).status).toBe(200);
    expect(await storedIn(app)).toBe(1);
  });

  test.each([
    ['a request', ME, {}],
    ['a sign-in', START, { body: '' }],
  ])(
    'ends every earlier sign-in of a person whose groups have no role any more, with %s',
    async (_what, path, sent) => {
      const app = await proxyApp();
      const page = await signIn(app.url, via('ada'));
      const { id } = (await ask(app.url, ME, { headers: { ...page, ...via('ada') } })).json;
      const heard = await ask(app.url, path, { ...sent, headers: { ...page, ...via('ada', 'others') } });
      expect(heard.json.message).toContain('contains no group with a role on this service');
      expect((await ask(app.url, ME, { headers: { ...page, ...via('ada') } })).json.message).toBe(
        'The person who signed in was revoked.',
      );
      expect(await storedIn(app)).toBe(3);
      const again = await signIn(app.url, via('ada'));
      const me = (await ask(app.url, ME, { headers: { ...again, ...via('ada') } })).json;
      expect([me.name, me.id === id]).toEqual(['ada', false]);
    },
  );

  test('of a revoked person signs in only after an approver has readmitted the person', async () => {
    const { url } = await proxyApp();
    const page = await signIn(url, via('ada'));
    const { id } = (await ask(url, ME, { headers: { ...page, ...via('ada') } })).json;
    await revoke(url, id);
    expect((await ask(url, ME, { headers: { ...page, ...via('ada') } })).json.message).toBe(
      'The person who signed in was revoked.',
    );
    expect((await ask(url, START, { headers: via('ada'), body: '' })).json.message).toBe(
      `You (${id}) were revoked, so your company account cannot sign in. An approver can readmit you: parley people readmit ${id}.`,
    );
    await ask(url, `/owner/api/people/${id}/readmit`, { headers: AS_OWNER, body: {} });
    const again = await signIn(url, via('ada'));
    expect((await ask(url, ME, { headers: { ...again, ...via('ada') } })).json).toMatchObject({ name: 'ada' });
    expect((await ask(url, ME, { headers: { ...page, ...via('ada') } })).status).toBe(401);
  });

  test('without the secret reads no storage', async () => {
    const app = await proxyApp();
    let reads = 0;
    const { fetch } = app.storage;
    app.storage.fetch = (...asked) => {
      reads += 1;
      return fetch(...asked);
    };
    for (let count = 0; count < 20; count += 1) {
      const headers = { ...via(`user-${count}`, 'parley-admins'), 'parley-proxy-secret': `wrong-${count}` };
      await ask(app.url, START, { headers, body: '' });
      await ask(app.url, ME, { headers });
    }
    expect(reads).toBe(0);
  });
});
