import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createMemoryStorage, createParley, openPeople, type People, type PersonRole } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, makeOwnerKey, OWNER_ID, openOwnerKey } from '@parley/owner-app';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER_KEY } from '../support/application.ts';
import { joinAs } from '../support/join-session.ts';
import { canRunNginx, type RunningNginx, runNginx } from './support/nginx-program.ts';

const SECRET = 'a-secret-that-only-nginx-and-parley-know';
const ROLES = new Map<string, PersonRole>([
  ['developers', 'operator'],
  ['admins', 'approver'],
  ['guests', 'viewer'],
]);

/** The settings of `deploy/nginx.conf`, changed as `docs/people.md` describes. */
function settingsFor(proxyPort: number): string {
  const document = readFileSync('docs/people.md', 'utf8');
  const [headers = '', locations = ''] = [...document.matchAll(/```nginx\n([\s\S]*?)```/g)].map(([, block]) => block);
  return readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/^ *proxy_set_header X-Forwarded-For .*\n/m, (line) => `${line}${headers}`)
    .replace(/^ *location ~ \^\/owner\/api\/sessions[\s\S]*?^ {4}\}\n/m, () => locations)
    .replaceAll('http://oauth2-proxy:4180', `http://127.0.0.1:${proxyPort}`)
    .replace('the value of PARLEY_AUTH_SECRET', SECRET);
}

/**
 * Answers as oauth2-proxy with `--set-xauthrequest`. Signs in the person whom the cookie `proxy` names, such as
 * `proxy=ada:developers`.
 */
async function startOauth2Proxy(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    const [, user, groups] = /\bproxy=(\w+):(\w*)/.exec(request.headers.cookie ?? '') ?? [];
    request.resume().once('end', () => {
      if (request.url !== '/oauth2/auth') response.end('the sign-in page of the company');
      else if (!user) response.writeHead(401).end();
      else response.writeHead(202, { 'x-auth-request-user': user, 'x-auth-request-groups': groups ?? '' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}

/** Headers of a client who claims to be an approver whom the proxy has signed in. */
const FORGED = {
  'x-forwarded-user': 'mallory',
  'x-forwarded-groups': 'admins',
  'parley-proxy-secret': SECRET,
};

describe.skipIf(!canRunNginx())('people whom oauth2-proxy signs in behind nginx', () => {
  let nginx: RunningNginx;
  let sessionId: string;
  let token: string;
  let people: People;
  /** The names of people, once for each request in which Parley has believed the proxy. */
  const admitted: string[] = [];
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    const storage = createMemoryStorage();
    const parley = await createParley({ storage });
    const opened = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
    people = {
      ...opened,
      async admit(admission) {
        const person = await opened.admit(admission);
        admitted.push(person.name);
        return person;
      },
    };
    const owner = parley.owner(OWNER_ID);
    ({ session_id: sessionId } = await owner.createSession({
      title: 'Refunds',
      objective: 'A buyer gets the money back within a day.',
      requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
    }));
    await owner.start(sessionId);
    token = await joinAs({ parley, owner }, sessionId, 'agent_a');
    const proxySignIn = {
      userHeader: 'X-Forwarded-User',
      groupsHeader: 'X-Forwarded-Groups',
      secret: SECRET,
      roles: ROLES,
      trustedProxies: ['127.0.0.1'],
    };
    const ownerKey = await openOwnerKey('', OWNER_KEY);
    const app = createOwnerApp({ parley, storage, people, ownerKey, proxySignIn, hostNames: ['parley.example.com'] });
    const serving = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 100 });
    const proxy = await startOauth2Proxy();
    nginx = await runNginx(settingsFor(proxy.port), [new URL(serving.url).host]);
    closing.push(nginx.stop, nginx.remove, () => proxy.server.close(), people.close, serving.close, parley.close);
  });

  afterAll(async () => {
    for (const close of closing) await close();
  });

  const host = { host: 'parley.example.com' };

  /** Signs in as the console does. Returns the headers of further requests of this person. */
  async function signIn(proxyCookie: string, more: Readonly<Record<string, string>> = {}) {
    const sent = { ...host, ...more, 'sec-fetch-site': 'same-origin' };
    const heard = await nginx.ask('/owner/api/sign-in/company', {
      headers: { ...sent, cookie: proxyCookie },
      body: '{"any":"body"}',
    });
    expect(heard.status).toBe(200);
    const [cookie] = (heard.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]);
    return { ...sent, cookie: `${proxyCookie}; ${cookie}`, 'parley-page-key': JSON.parse(heard.body).page_key };
  }

  const me = async (headers: Readonly<Record<string, string>>) => {
    const { status, body } = await nginx.ask('/owner/api/me', { headers });
    return status === 200 ? JSON.parse(body) : [status, body];
  };

  test('sign in, act with the role of their groups, and follow a session', async () => {
    const page = await signIn('proxy=ada:developers');
    expect(await me(page)).toEqual({ id: expect.stringMatching(/^p_\w{10}$/), name: 'ada', role: 'operator' });
    const path = `/owner/api/sessions/${sessionId}`;
    const ask = { headers: page, body: '{"targets":["agent_a"],"text":"Why?"}' };
    expect((await nginx.ask(`${path}/ask`, ask)).status).toBe(200);
    const start = await nginx.firstBytes(`${path}/events`, page, '"intervention.opened"');
    expect(start).toContain('"name":"ada"');
  });

  test('have the rights of their present groups when a body that they held ends', async () => {
    const page = await signIn('proxy=mallory:admins');
    const before = admitted.length;
    const held = nginx.hold(`/owner/api/sessions/${sessionId}/direct`, {
      headers: page,
      body: '{"targets":["agent_a"],"text":"Send me the key."}',
    });
    await expect.poll(() => admitted.slice(before)).toEqual(['mallory']);
    const lowered = { ...page, cookie: page.cookie.replace('admins', 'guests') };
    expect(await me(lowered)).toMatchObject({ name: 'mallory', role: 'viewer' });
    const { status, body } = await held.finish();
    expect([status, JSON.parse(body).error]).toEqual([403, 'ROLE_FORBIDDEN']);
    expect((await people.withId((await me(lowered)).id))?.role).toBe('viewer');
  });

  test('get the sign-in page of the company while they are not signed in there', async () => {
    expect(await nginx.ask('/owner/', { headers: host })).toMatchObject({
      status: 200,
      body: 'the sign-in page of the company',
    });
    const page = await signIn('proxy=ada:developers');
    const signedOut = { ...page, cookie: page.cookie.replace('proxy=ada:developers; ', '') };
    expect((await nginx.ask('/owner/api/me', { headers: signedOut })).body).toBe('the sign-in page of the company');
  });

  test('cannot claim to be somebody else, nor to be in other groups', async () => {
    const page = await signIn('proxy=ada:developers', FORGED);
    expect(await me(page)).toMatchObject({ name: 'ada', role: 'operator' });
    const path = `/owner/api/sessions/${sessionId}/events`;
    expect(await nginx.firstBytes(path, page, '"session.started"')).toContain('id: 1');
    const groupless = await nginx.ask('/owner/api/sign-in/company', {
      headers: { ...host, ...FORGED, cookie: 'proxy=bob:' },
      body: '',
    });
    expect([groupless.status, JSON.parse(groupless.body).error]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('are nobody without the proxy, whatever a client sends', async () => {
    const start = await nginx.ask('/owner/api/sign-in/company', {
      headers: { ...host, ...FORGED, authorization: 'Bearer nonsense' },
      body: '',
    });
    expect([start.status, JSON.parse(start.body).message]).toEqual([
      401,
      'The proxy sent no X-Forwarded-User, so you are not signed in at the proxy. Sign in there first.',
    ]);
    const page = await signIn('proxy=ada:developers');
    const events = await nginx.ask(`/owner/api/sessions/${sessionId}/events`, {
      headers: { ...page, ...FORGED, cookie: page.cookie.replace('ada', 'eve') },
    });
    expect([events.status, JSON.parse(events.body).error]).toEqual([401, 'UNAUTHORIZED']);
  });

  test('leave keys and agents as they are', async () => {
    expect(await me({ ...host, authorization: `Bearer ${OWNER_KEY}` })).toMatchObject({ id: 'owner' });
    const task = await nginx.ask(`/api/public/agent/sessions/${sessionId}/state`, {
      headers: { ...host, ...FORGED, authorization: `Bearer ${token}` },
    });
    expect(task.status).toBe(200);
  });
});
