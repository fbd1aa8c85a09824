import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../../scripts/servers/free-port.ts';
import { openDatabase } from '../../scenarios/support/stores.ts';
import { type OwnerServer, startOwnerServer } from '../processes/support/owner-server.ts';

const OWNER_KEY = `pok_${'0123456789abcdef'.repeat(3)}`;
const OWNER = { authorization: `Bearer ${OWNER_KEY}` };
const SECRET = 'a-secret-that-only-the-proxy-knows';
const SESSION = {
  title: 'Refunds',
  objective: 'Refunds are idempotent.',
  requirements: [{ requirement_id: 'R1', text: 'A refund happens once.' }],
};
const ENVIRONMENT = {
  PARLEY_OWNER_KEY: OWNER_KEY,
  PARLEY_LOG_LEVEL: 'fatal',
  PARLEY_TRUSTED_PROXIES: '127.0.0.1',
  PARLEY_AUTH_HEADER: 'X-Forwarded-User',
  PARLEY_AUTH_SECRET: SECRET,
  PARLEY_OIDC_ROLES: 'admins=approver,developers=operator',
};

interface Sent {
  readonly headers: OutgoingHttpHeaders;
  readonly body?: object;
  readonly method?: string;
}

interface Heard {
  readonly status: number;
  readonly cookie: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A request of which the server has the head and not the last byte of the body. */
interface Held {
  finish(): Promise<Heard>;
}

async function heardFrom(sent: ClientRequest): Promise<Heard> {
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  if (!answer) throw new Error('no answer');
  const cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  return { status: answer.statusCode ?? 0, cookie, json: Object(await json(answer)) };
}

async function hold(url: string, path: string, { headers, body = {}, method = 'POST' }: Sent): Promise<Held> {
  const bytes = JSON.stringify(body);
  const length = { 'content-length': bytes.length, expect: '100-continue' };
  const sent = request(`${url}${path}`, { method, headers: { ...headers, ...length } });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(bytes.slice(0, -1));
  return {
    finish() {
      const heard = heardFrom(sent);
      sent.end(bytes.slice(-1));
      return heard;
    },
  };
}

async function ask(url: string, path: string, sent: Sent): Promise<Heard> {
  const { headers, body, method = body ? 'POST' : 'GET' } = sent;
  const asking = request(`${url}${path}`, { method, headers });
  const heard = heardFrom(asking);
  asking.end(body ? JSON.stringify(body) : '');
  return await heard;
}

const via = (user: string, groups: string): OutgoingHttpHeaders => ({
  'x-forwarded-user': user,
  'x-forwarded-groups': groups,
  'parley-proxy-secret': SECRET,
  'sec-fetch-site': 'same-origin',
});

/** Signs in as the console does behind the proxy, and returns the headers of later requests. */
async function signIn(url: string, user: string, groups: string): Promise<OutgoingHttpHeaders> {
  const heard = await ask(url, '/owner/api/sign-in/company', { headers: via(user, groups), method: 'POST' });
  expect(heard.status).toBe(200);
  return { ...via(user, groups), cookie: heard.cookie, 'parley-page-key': String(heard.json.page_key) };
}

interface Started {
  readonly servers: readonly OwnerServer[];
  readonly metricsPort: number;
  close(): Promise<void>;
}

/** One process with an embedded database, or two with a common PostgreSQL. */
async function startServers(kind: 'embedded' | 'PostgreSQL'): Promise<Started> {
  const [metricsPort, databaseServer] = [await freePort(), inject('databaseUrl')];
  const folder = await mkdtemp(join(tmpdir(), 'parley-former-'));
  const database = kind === 'PostgreSQL' && databaseServer !== null ? await openDatabase(databaseServer) : undefined;
  const place = database ? { DATABASE_URL: database.url } : { PARLEY_DATA: join(folder, 'data') };
  const first = await startOwnerServer({ ...ENVIRONMENT, ...place, PARLEY_METRICS_PORT: String(metricsPort) });
  const servers = [first, ...(database ? [await startOwnerServer({ ...ENVIRONMENT, ...place })] : [])];
  return {
    servers,
    metricsPort,
    async close() {
      for (const server of servers) await server.end('SIGKILL');
      await database?.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const KINDS = inject('databaseUrl') === null ? (['embedded'] as const) : (['embedded', 'PostgreSQL'] as const);

/** A session of the owner, and an approver, who signs in with a company account at the first process. */
async function open({ servers }: Started, user: string) {
  const [here = '', there = here] = servers.map(({ url }) => url);
  const owner = async (path: string, body?: object) =>
    (await ask(here, `/owner/api${path}`, { headers: OWNER, ...(body ? { body } : {}) })).json;
  const session = String((await owner('/sessions', SESSION)).session_id);
  const page = await signIn(here, user, 'admins');
  const id = String((await ask(there, '/owner/api/me', { headers: page })).json.id);
  const other = Object((await owner('/people', { name: `Friend of ${user}`, role: 'viewer' })).person).person_id;
  const stored = async () => [
    Object((await owner(`/sessions/${session}`)).head).seq,
    Object(await owner('/sessions')).sessions.length,
    Object(await owner('/people')).people.length,
    Object(await owner('/people')).revoked.length,
  ];
  /** When the first process has last accepted a request of the approver. */
  const lastUse = async () =>
    Object(await owner('/people')).people.find((one: { person_id: string }) => one.person_id === id).last_used_at;
  return { here, there, owner, session, page, id, other: String(other), stored, lastUse };
}

type Scene = Awaited<ReturnType<typeof open>>;

const callsOf = ({ session, other, id }: Scene) => {
  const own = `/sessions/${session}`;
  return [
    { path: `${own}/direct`, body: { targets: ['agent_a'], text: 'Send me the key.' } },
    { path: `${own}/ask`, body: { targets: ['agent_a'], text: 'What is the key?' } },
    { path: `${own}/invite`, body: { role: 'moderator' } },
    { path: `${own}/start`, body: {} },
    { path: `${own}/stop-moderator`, body: { reason: 'No.' } },
    { path: `${own}/end`, body: { end_reason: 'CANCELLED' } },
    { path: own, method: 'DELETE', keys: ['gone'] },
    { path: '/sessions', body: SESSION },
    { path: '/sessions', body: SESSION, keys: ['twice'] },
    { path: '/pause-all', body: { reason: 'Out of spite.' } },
    { path: '/moderator-entitlement', body: { entitled: false } },
    { path: '/people', body: { name: 'Second Mallory', role: 'operator' } },
    { path: `/people/${other}/role`, body: { role: 'operator' } },
    { path: `/people/${other}/revoke`, body: {} },
    { path: `/people/${id}/readmit`, body: {}, keys: ['me'] },
  ];
};

/** Holds all calls at both processes, makes the change, and returns the codes of the answers to what is held. */
async function answersAfter(scene: Scene, change: () => Promise<unknown>): Promise<readonly unknown[]> {
  const held: Held[] = [];
  for (const url of [scene.here, scene.there])
    for (const { path, keys, ...sent } of callsOf(scene).map((call) => ({ keys: undefined, ...call }))) {
      const headers = { ...scene.page, ...(keys ? { 'idempotency-key': keys } : {}) };
      held.push(await hold(url, `/owner/api${path}`, { ...sent, headers }));
    }
  await change();
  const before = await scene.stored();
  const heard = await Promise.all(held.map((one) => one.finish()));
  expect(await scene.stored()).toEqual(before);
  return [...new Set(heard.map(({ json: { error } }) => error))];
}

describe.each(KINDS)('a former approver with a company account, %s', (kind) => {
  let started: Started;
  beforeAll(async () => {
    started = await startServers(kind);
    return () => started.close();
  });

  test('stores nothing after a revocation with calls that were held over it, and signs in nowhere', async () => {
    const scene = await open(started, 'mallory');
    const { here, there, owner, id, page } = scene;
    expect(await answersAfter(scene, () => owner(`/people/${id}/revoke`, {}))).toEqual(['UNAUTHORIZED']);
    for (const url of [here, there]) {
      expect((await ask(url, '/owner/api/me', { headers: page })).status).toBe(401);
      const again = await ask(url, '/owner/api/sign-in/company', { headers: via('mallory', 'admins'), method: 'POST' });
      expect([again.status, again.json.error]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  test('stores nothing after the loss of all groups, and is another person with a group again', async () => {
    const scene = await open(started, 'trudy');
    const { here, there, page, id } = scene;
    const leave = () => ask(there, '/owner/api/me', { headers: { ...page, 'x-forwarded-groups': 'none' } });
    expect(await answersAfter(scene, leave)).toEqual(['UNAUTHORIZED']);
    expect((await ask(here, '/owner/api/me', { headers: page })).status).toBe(401);
    const back = await ask(there, '/owner/api/me', { headers: await signIn(here, 'trudy', 'developers') });
    expect(back.json).toMatchObject({ name: 'trudy', role: 'operator' });
    expect(back.json.id).not.toBe(id);
  });

  test('stores nothing that needs the role after lower groups', async () => {
    const { here, there, page, session, lastUse } = await open(started, 'oscar');
    const path = `/owner/api/sessions/${session}`;
    const before = await lastUse();
    const held = await hold(here, path, { headers: { ...page, 'idempotency-key': 'gone' }, method: 'DELETE' });
    await expect.poll(lastUse, { timeout: 60_000 }).not.toBe(before);
    const lowered = { ...page, 'x-forwarded-groups': 'developers' };
    expect((await ask(there, '/owner/api/me', { headers: lowered })).json.role).toBe('operator');
    expect((await held.finish()).json.error).toBe('ROLE_FORBIDDEN');
    expect((await ask(there, path, { headers: OWNER })).status).toBe(200);
  });

  test('opens no door with guessed keys, a second groups header or a foreign host name', async () => {
    const [url = ''] = started.servers.map((server) => server.url);
    const twice = { ...via('eve', 'developers'), 'x-forwarded-groups': ['developers', 'admins'] };
    expect((await ask(url, '/owner/api/sign-in/company', { headers: twice, method: 'POST' })).status).toBe(401);
    const guesses = Array.from({ length: 30 }, (_, index) =>
      ask(url, '/owner/api/me', { headers: { authorization: `Bearer pok_${String(index).padStart(43, 'g')}` } }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
    expect((await ask(url, '/owner/api/me', { headers: OWNER })).status).toBe(200);
    const metrics = `http://127.0.0.1:${started.metricsPort}/metrics`;
    expect((await fetch(metrics)).status).toBe(200);
    const foreign = request(metrics, { headers: { host: 'evil.example' } }).end();
    const [refused]: IncomingMessage[] = await once(foreign, 'response');
    refused?.resume();
    expect(refused?.statusCode).toBe(421);
  });
});
