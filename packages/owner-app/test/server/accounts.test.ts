import { randomBytes } from 'node:crypto';
import { createMemoryStorage, isRecord, openPeople, ownerRoutes } from '@parley/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeOwnerKey } from '../../src/server/access/owner-key.ts';
import { AS_OWNER, ask, createSession, createSessionAs, type Heard } from '../ask.ts';
import { type AddedPerson, addAccount, addPerson, runPeopleApp, signInWith } from '../people-app.ts';
import { runApp, SESSION } from '../running-app.ts';
import { sampleRequest } from '../sample-request.ts';

const ME = '/owner/api/me';
const ROUTES = ownerRoutes();
const ON_SESSIONS = ROUTES.filter(({ path }) => path.includes('{session_id}'));

type Json = Heard['json'];
async function twoAccounts() {
  const app = await runPeopleApp(createMemoryStorage());
  const account = await addAccount(app.url, 'Team B');
  const bea = await addPerson(app.url, 'Bea', 'approver', account);
  return { ...app, account, bea };
}

const sessionsOf = async (url: string, { headers }: Pick<AddedPerson, 'headers'>): Promise<string[]> =>
  (await ask(url, '/owner/api/sessions', { headers })).json.sessions
    .map(Object)
    .map(({ session_id }: Json) => session_id);

const UNLIMITED = {
  limits: { sessions: null, events: null, bytes: null },
  used: { sessions: 0, events: 0, bytes: 0 },
};

describe('two accounts', () => {
  test('have sessions that the other does not see', async () => {
    const { url, bea } = await twoAccounts();
    const [first, second] = [await createSession(url), await createSessionAs(bea.key, url)];
    expect(await sessionsOf(url, { headers: AS_OWNER })).toEqual([first]);
    expect(await sessionsOf(url, bea)).toEqual([second]);
    for (const [headers, own] of [
      [AS_OWNER, first],
      [bea.headers, second],
    ] as const) {
      const { json: overview } = await ask(url, '/owner/api/overview', { headers });
      const { json: inbox } = await ask(url, '/owner/api/inbox', { headers });
      const { json: found } = await ask(url, `/owner/api/find?words=${SESSION.title.split(' ')[0]}`, { headers });
      for (const list of [overview.sessions, inbox.sessions, found.hits])
        for (const one of list.filter(isRecord)) expect(one.session_id).toBe(own);
      expect(overview.sessions).toHaveLength(1);
    }
    expect((await ask(url, '/owner/api/pause-all', { headers: bea.headers, body: {} })).json).toMatchObject({
      paused: [],
      failed: [],
    });
  });

  test('find no session of the other account on any route: the answer is that for an unknown session', async () => {
    const { url, bea } = await twoAccounts();
    const mine = await createSession(url);
    const logOf = async () => (await ask(url, `/owner/api/sessions/${mine}/log`, { headers: AS_OWNER })).text;
    const before = await logOf();
    const unknown = `${mine.slice(0, -1)}${mine.endsWith('A') ? 'B' : 'A'}`;
    for (const route of ON_SESSIONS) {
      const answerFor = async (session: string) => {
        const { path, ...request } = sampleRequest(route, session);
        const { status, text } = await ask(url, path, { ...request, headers: bea.headers });
        return { route: `${route.method} ${route.path}`, status, text: text.replaceAll(session, 'ID') };
      };
      const answer = await answerFor(mine);
      expect(answer).toEqual(await answerFor(unknown));
      expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('"error":"UNKNOWN_RECORD"') });
      expect(await logOf(), route.path).toBe(before);
    }
  });

  test('have people whom the other does not see and cannot change', async () => {
    const { url, bea, account, people } = await twoAccounts();
    const ada = await addPerson(url, 'Ada', 'approver');
    const listed = async (headers: Record<string, string>) => {
      const { json } = await ask(url, '/owner/api/people', { headers });
      return [...json.people, ...json.revoked].map(({ name, account_id }) => [name, account_id]);
    };
    expect(await listed(ada.headers)).toEqual([['Ada', 'owner']]);
    expect(await listed(bea.headers)).toEqual([['Bea', account]]);
    expect(await listed(AS_OWNER)).toEqual([
      ['Bea', account],
      ['Ada', 'owner'],
    ]);
    const { events } = await people.verifyLog();
    for (const [path, body] of [
      ['role', { role: 'viewer' }],
      ['revoke', {}],
      ['readmit', {}],
    ] as const) {
      const answerFor = async (id: string) => {
        const { status, text } = await ask(url, `/owner/api/people/${id}/${path}`, { headers: bea.headers, body });
        return [status, text.replaceAll(id, 'ID')];
      };
      const answer = await answerFor(ada.id);
      expect(answer[0]).toBe(404);
      expect(answer).toEqual(await answerFor('p_xxxxxxxxxx'));
    }
    const add = (id: string | undefined) =>
      ask(url, '/owner/api/people', { headers: bea.headers, body: { name: 'Bob', role: 'viewer', account_id: id } });
    for (const id of ['owner', 'acc_xxxxxxxxxx'])
      expect((await add(id)).json).toMatchObject({
        error: 'ROLE_FORBIDDEN',
        message: 'Only the holder of the owner key can add a person of another account.',
      });
    expect((await people.verifyLog()).events).toBe(events);
    expect((await add(undefined)).json.person).toMatchObject({ name: 'Bob', account_id: account });
    expect(await listed(ada.headers)).toEqual([['Ada', 'owner']]);
    const sameName = await ask(url, '/owner/api/people', {
      headers: ada.headers,
      body: { name: 'Bob', role: 'viewer' },
    });
    expect(sameName.json.person).toMatchObject({ name: 'Bob', account_id: 'owner' });
  });

  test('have audits in which the changes of the other do not occur', async () => {
    const { url, bea, account } = await twoAccounts();
    const ada = await addPerson(url, 'Ada', 'approver');
    await ask(url, `/owner/api/people/${ada.id}/role`, { headers: AS_OWNER, body: { role: 'viewer' } });
    await createSession(url);
    await createSessionAs(bea.key, url);
    await change(url, account, 'change', { name: 'Team C' });
    const kinds = (texts: readonly Json[]) => texts.map(({ kind, body }) => `${kind} ${body.name ?? ''}`);
    const audits = async (headers: Record<string, string>) => {
      const exported = (await ask(url, '/owner/api/audit/export', { headers })).text.trim().split('\n');
      const pages = [];
      for (let next = ''; next !== 'null'; ) {
        const { json } = await ask(url, `/owner/api/audit?limit=2${next && `&after=${next}`}`, { headers });
        pages.push(...kinds(json.events));
        next = String(json.next_after);
      }
      expect(pages.toReversed()).toEqual(kinds(exported.map((line) => JSON.parse(line))));
      return pages.toReversed();
    };
    expect(await audits(bea.headers)).toEqual([
      'account.added Team B',
      'person.added Bea',
      'session.created ',
      'account.renamed Team C',
    ]);
    expect(await audits(ada.headers)).toEqual(['person.added Ada', 'person.role_changed Ada', 'session.created ']);
    expect(await audits(AS_OWNER)).toEqual([
      'account.added Team B',
      'person.added Bea',
      'person.added Ada',
      'person.role_changed Ada',
      'session.created ',
      'account.renamed Team C',
    ]);
  });

  test('are listed with the owner key, and to a person the own account alone', async () => {
    const { url, bea, account } = await twoAccounts();
    const listed = async (headers: Record<string, string>) =>
      (await ask(url, '/owner/api/accounts', { headers })).json.accounts.map(Object);
    const teamB = {
      account_id: account,
      name: 'Team B',
      people: 1,
      ...UNLIMITED,
      added_at: expect.any(String),
      added_by: { id: 'owner', name: 'Owner' },
      closed_at: null,
      closed_by: null,
    };
    const first = {
      account_id: 'owner',
      name: 'First account',
      people: 0,
      ...UNLIMITED,
      added_at: null,
      added_by: null,
      closed_at: null,
      closed_by: null,
    };
    expect(await listed(AS_OWNER)).toEqual([first, teamB]);
    expect(await listed(bea.headers)).toEqual([teamB]);
  });
});

test('a person learns the account, also with a sign-in, if the service has several', async () => {
  const { url } = await runPeopleApp();
  expect((await ask(url, ME, { headers: AS_OWNER })).json).toEqual({ id: 'owner', name: 'Owner', role: 'approver' });
  const account = await addAccount(url, 'Team B');
  const { id, key, headers } = await addPerson(url, 'Bea', 'viewer', account);
  const me = { id, name: 'Bea', role: 'viewer', account: { account_id: account, name: 'Team B' } };
  expect((await ask(url, ME, { headers })).json).toEqual(me);
  expect((await ask(url, ME, { headers: await signInWith(url, key) })).json).toEqual(me);
  expect((await ask(url, ME, { headers: AS_OWNER })).json).toMatchObject({
    account: { account_id: 'owner', name: 'First account' },
  });
});

const change = (url: string, account: string, how: string, body: object = {}) =>
  ask(url, `/owner/api/accounts/${account}/${how}`, { headers: AS_OWNER, body });

describe('a closed account', () => {
  test.each(['the same', 'another'] as const)(
    'refuses the keys and sign-ins of its people from the next request on, at %s process, until it is reopened',
    async (which) => {
      const storage = createMemoryStorage();
      const one = await runPeopleApp(storage);
      const { url } = which === 'another' ? await runPeopleApp(storage.sibling()) : one;
      const account = await addAccount(one.url, 'Team B');
      const [bea, ada] = [
        await addPerson(one.url, 'Bea', 'approver', account),
        await addPerson(one.url, 'Ada', 'viewer'),
      ];
      const page = await signInWith(url, bea.key);
      const session = await createSessionAs(bea.key, url);
      const statuses = async () => {
        const asked = [bea.headers, page, ada.headers].map((headers) => ask(url, ME, { headers }));
        return (await Promise.all(asked)).map(({ status }) => status);
      };
      expect(await statuses()).toEqual([200, 200, 200]);
      expect((await change(one.url, account, 'close')).json.account).toMatchObject({
        people: 1,
        limits: UNLIMITED.limits,
        used: { sessions: 1, events: 1, bytes: expect.any(Number) },
        closed_at: expect.any(String),
        closed_by: { id: 'owner', name: 'Owner' },
      });
      expect(await statuses()).toEqual([401, 401, 200]);
      expect((await ask(url, '/owner/api/sign-in', { body: { owner_key: bea.key } })).status).toBe(401);
      await change(one.url, account, 'reopen');
      expect(await statuses()).toEqual([200, 200, 200]);
      expect(await sessionsOf(url, bea)).toEqual([session]);
    },
  );

  test.each(['key', 'sign-in'] as const)('ends the open streams of its people, with a %s, and no other', async (by) => {
    const { url, bea, account } = await twoAccounts();
    const [own, other] = [await createSessionAs(bea.key, url), await createSession(url)];
    const read = async (session: string, headers: Record<string, string>) => {
      const { body } = await fetch(`${url}/owner/api/sessions/${session}/events`, { headers });
      const reader = body?.getReader();
      await reader?.read();
      return reader;
    };
    const beas = await read(own, by === 'key' ? bea.headers : await signInWith(url, bea.key));
    const owners = await read(other, AS_OWNER);
    await change(url, account, 'close');
    for (let isOpen = true; isOpen; ) isOpen = (await beas?.read())?.done === false;
    await ask(url, `/owner/api/sessions/${other}/start`, { headers: AS_OWNER, body: {} });
    for (let heard = ''; !heard.includes('session.started'); )
      heard += new TextDecoder().decode((await owners?.read())?.value);
    await owners?.cancel();
  });

  test('takes no new person', async () => {
    const { url, account } = await twoAccounts();
    await change(url, account, 'close');
    const body = { name: 'Bob', role: 'viewer', account_id: account };
    expect((await ask(url, '/owner/api/people', { headers: AS_OWNER, body })).json).toMatchObject({
      error: 'INVALID_INPUT',
      message: 'account_id: The account is closed. Reopen the account, or name another one.',
    });
  });
});

describe('a change of accounts', () => {
  test('is refused if it is wrong in any way, and stores nothing', async () => {
    const { url, people, account } = await twoAccounts();
    const { events } = await people.verifyLog();
    for (const [path, body, status] of [
      ['accounts', { name: 'A\nB' }, 422],
      ['accounts', { name: 'team  b' }, 422],
      ['accounts', { name: 'First account' }, 422],
      ['accounts', {}, 422],
      ['accounts', '{', 400],
      ['accounts', { name: 'Team C', limits: { sessions: -1 } }, 422],
      ['accounts', { name: 'Team C', limits: { bytes: 1.5 } }, 422],
      ['accounts', { name: 'Team C', limits: { rounds: 1 } }, 422],
      ['accounts/ACCOUNT/change', { limits: { events: '5' } }, 422],
      ['accounts/owner/close', {}, 422],
      ['accounts/acc_xxxxxxxxxx/close', {}, 404],
      ['accounts/acc_xxxxxxxxxx/reopen', {}, 404],
      ['accounts/%00/change', { name: 'C' }, 404],
      ['accounts/ACCOUNT/change', { name: 'First account' }, 422],
      ['accounts/ACCOUNT/unknown', {}, 404],
      ['people', { name: 'Cid', role: 'viewer', account_id: 'acc_xxxxxxxxxx' }, 404],
    ] as const) {
      const heard = await ask(url, `/owner/api/${path.replace('ACCOUNT', account)}`, { headers: AS_OWNER, body });
      expect([path, body, heard.status, heard.json.ok]).toEqual([path, body, status, false]);
    }
    expect((await people.verifyLog()).events).toBe(events);
  });

  test('that repeats what is stored stores nothing', async () => {
    const { url, people, account } = await twoAccounts();
    for (const how of ['close', 'close', 'reopen', 'reopen'])
      expect((await change(url, account, how)).status).toBe(200);
    for (const name of ['Team C', 'Team C'])
      expect((await change(url, account, 'change', { name })).json.account).toMatchObject({ name: 'Team C' });
    expect((await people.verifyLog()).events).toBe(5);
  });
});

test('an account with limits is refused writes beyond them, and can get out', async () => {
  const storage = createMemoryStorage();
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const { url } = await runApp({ people }, { storage, limitsOf: people.limitsOf });
  const body = { name: 'Team B', limits: { sessions: 1 } };
  const added = (await ask(url, '/owner/api/accounts', { headers: AS_OWNER, body })).json.account;
  expect(added).toMatchObject({
    limits: { sessions: 1, events: null, bytes: null },
    used: { sessions: 0, events: 0, bytes: 0 },
  });
  const bea = await addPerson(url, 'Bea', 'approver', added.account_id);
  const session = await createSessionAs(bea.key, url);
  const create = () => ask(url, '/owner/api/sessions', { headers: bea.headers, body: SESSION });
  expect(await create()).toMatchObject({
    status: 409,
    json: {
      error: 'LIMIT_EXCEEDED',
      message:
        'The limit of the account for sessions is 1. The sessions of the account use 1 together, and this call would add 1. Nothing was stored.',
      hint: expect.stringContaining('deleted sessions or the operator has raised the limit of the account'),
      account_limit: 'sessions',
      used: 1,
      limit: 1,
    },
  });
  expect((await createSession(url)).length).toBeGreaterThan(0);
  const account = `/owner/api/accounts/${added.account_id}/change`;
  const raised = await ask(url, account, { headers: AS_OWNER, body: { limits: { sessions: 2, events: 500 } } });
  expect(raised.json.account.limits).toEqual({ sessions: 2, events: 500, bytes: null });
  await expect.poll(async () => (await create()).status).toBe(200);
  expect((await create()).status).toBe(409);
  await ask(url, `/owner/api/sessions/${session}`, { method: 'DELETE', headers: bea.headers });
  expect((await create()).status).toBe(200);
  const removed = await ask(url, account, { headers: AS_OWNER, body: { limits: { sessions: null } } });
  expect(removed.json.account.limits).toEqual({ sessions: null, events: 500, bytes: null });
  await expect.poll(async () => (await create()).status).toBe(200);
});
