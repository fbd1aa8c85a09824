import { createHmac, randomBytes } from 'node:crypto';
import { createMemoryStorage, openPeople } from '@parley/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeOwnerKey } from '../../src/server/access/owner-key.ts';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { addPerson, revoke, runPeopleApp, signInWith } from '../people-app.ts';
import { KEY, OTHER_KEY, runApp } from '../running-app.ts';

const ME = '/owner/api/me';

describe('who am I', () => {
  test('is the owner key, as an approver', async () => {
    const { url } = await runPeopleApp();
    const me = { id: 'owner', name: 'Owner', role: 'approver' };
    expect((await ask(url, ME, { headers: AS_OWNER })).json).toEqual(me);
    expect((await ask(url, ME, { headers: await signInWith(url, KEY) })).json).toEqual(me);
  });

  test('is the person whose key or sign-in the request has', async () => {
    const { url } = await runPeopleApp();
    const { id, key, headers } = await addPerson(url, 'Ada', 'viewer');
    const me = { id, name: 'Ada', role: 'viewer' };
    expect((await ask(url, ME, { headers })).json).toEqual(me);
    expect((await ask(url, ME, { headers: await signInWith(url, key) })).json).toEqual(me);
  });

  test('is nobody without a key', async () => {
    const { url } = await runPeopleApp();
    expect((await ask(url, ME)).status).toBe(401);
    expect((await ask(url, '/owner/api/people')).status).toBe(401);
  });

  test('is known to a service without people too', async () => {
    const { url } = await runApp();
    expect((await ask(url, ME, { headers: AS_OWNER })).json).toMatchObject({ id: 'owner' });
    expect(await ask(url, '/owner/api/people', { headers: AS_OWNER })).toMatchObject({
      status: 404,
      json: {
        error: 'NOT_FOUND',
        message: 'This service has no people with keys of their own.',
        hint: 'Sign in with the owner key. To add people, set the option people of createOwnerApp in the program that serves Parley.',
      },
    });
  });
});

describe('an event', () => {
  test('names who made the call', async () => {
    const { url } = await runPeopleApp();
    const { id, headers } = await addPerson(url, 'Ada', 'operator');
    const session = await createSession(url);
    await ask(url, `/owner/api/sessions/${session}/start`, { headers, body: {} });
    const { text } = await ask(url, `/owner/api/sessions/${session}/log`, { headers: AS_OWNER });
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(JSON.parse(line).event));
    expect(events.map(({ kind, person }) => [kind, person])).toEqual([
      ['session.created', { id: 'owner', name: 'Owner' }],
      ['session.started', { id, name: 'Ada' }],
    ]);
  });
});

describe('a change of people', () => {
  test('has answers of this form', async () => {
    const { url } = await runPeopleApp();
    const added = await ask(url, '/owner/api/people', { headers: AS_OWNER, body: { name: 'Ada', role: 'viewer' } });
    const person = {
      person_id: expect.stringMatching(/^p_\w{10}$/),
      name: 'Ada',
      role: 'viewer',
      account_id: 'owner',
      key_prefix: added.json.key.slice(0, 10),
      subject: null,
      added_at: expect.any(String),
      added_by: { id: 'owner', name: 'Owner' },
      last_used_at: null,
    };
    expect([added.status, added.json]).toEqual([200, { person, key: expect.stringMatching(/^pok_[\w-]{43}$/) }]);
    const path = `/owner/api/people/${added.json.person.person_id}`;
    const more = { approvals: 0, invitations: 0, tokens: 0 };
    const left = { approvals: [], invitations: [], tokens: [], more, ended: 0, failed: 0 };
    const changed = await ask(url, `${path}/role`, { headers: AS_OWNER, body: { role: 'operator' } });
    expect(changed.json).toEqual({ person: { ...person, role: 'operator' }, left });
    const revoked = await ask(url, `${path}/revoke`, { headers: AS_OWNER, body: {} });
    const { last_used_at: _lastUse, ...kept } = person;
    const was = {
      ...kept,
      role: 'operator',
      revoked_at: expect.any(String),
      revoked_by: { id: 'owner', name: 'Owner' },
      readmitted: false,
    };
    expect(revoked.json).toEqual({ revoked: was, left });
    expect((await ask(url, '/owner/api/people', { headers: AS_OWNER })).json).toEqual({ people: [], revoked: [was] });
  });

  test('is refused if it is wrong in any way, and stores nothing', async () => {
    const { url, people } = await runPeopleApp();
    for (const [path, body, status] of [
      ['people', { name: 'A\nB', role: 'viewer' }, 422],
      ['people', { name: 'Ada', role: 'owner' }, 422],
      ['people', { name: 'Ada' }, 422],
      ['people', [], 422],
      ['people', '{', 400],
      ['people/p_xxxxxxxxxx/revoke', { end_access: 'yes' }, 422],
      ['people/p_xxxxxxxxxx/role', { role: 'viewer' }, 404],
      ['people/owner/revoke', {}, 404],
      ['people/owner/readmit', {}, 404],
      ['people/p_xxxxxxxxxx/readmit', {}, 404],
      ['people/%00/revoke', {}, 404],
      ['people/..%2f/revoke', {}, 404],
      ['people/p_xxxxxxxxxx/unknown', {}, 404],
    ] as const) {
      const heard = await ask(url, `/owner/api/${path}`, { headers: AS_OWNER, body });
      expect([path, body, heard.status, heard.json.ok]).toEqual([path, body, status, false]);
    }
    expect(await people.verifyLog()).toMatchObject({ events: 0 });
  });

  test('is in the log of people, which the holder of the owner key can export and verify', async () => {
    const { url } = await runPeopleApp();
    const { key } = await addPerson(url, 'Ada', 'viewer');
    const exported = await ask(url, '/owner/api/people/log', { headers: AS_OWNER });
    expect(exported.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(exported.headers.get('content-disposition')).toBe('attachment; filename="parley-people.jsonl"');
    const { hash, event } = JSON.parse(exported.text);
    expect(JSON.parse(event)).toMatchObject({ seq: 1, kind: 'person.added', data: { name: 'Ada', role: 'viewer' } });
    expect(exported.text).not.toContain(key);
    expect(await ask(url, '/owner/api/people/verify-log', { headers: AS_OWNER })).toMatchObject({
      status: 200,
      json: { ok: true, events: 1, head: { seq: 1, hash } },
    });
  });

  test('from another site is refused', async () => {
    const { url } = await runPeopleApp();
    const headers = { ...AS_OWNER, 'sec-fetch-site': 'cross-site' };
    const { status } = await ask(url, '/owner/api/people', { headers, body: { name: 'Eve', role: 'approver' } });
    expect(status).toBe(403);
  });

  test('writes no key into the log of requests', async () => {
    const { url, requests } = await runPeopleApp();
    const { key } = await addPerson(url, 'Ada', 'viewer');
    expect(requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(requests)).not.toContain(key.slice(4, 14));
  });
});

describe('a person with a new role', () => {
  test('has it on the next request, also with a sign-in, and at another process', async () => {
    const storage = createMemoryStorage();
    const [one, other] = [await runPeopleApp(storage), await runPeopleApp(storage.sibling())];
    const { id, key } = await addPerson(one.url, 'Ada', 'viewer');
    const page = await signInWith(one.url, key);
    const create = async () => (await ask(other.url, '/owner/api/pause-all', { headers: page, body: {} })).json;
    expect(await create()).toMatchObject({ error: 'ROLE_FORBIDDEN', required_role: 'operator' });
    await ask(one.url, `/owner/api/people/${id}/role`, { headers: AS_OWNER, body: { role: 'operator' } });
    expect(await create()).toMatchObject({ paused: [] });
  });
});

describe('a person whose key is revoked', () => {
  const processes = async () => {
    const storage = createMemoryStorage();
    const one = await runPeopleApp(storage);
    return { one, same: one, another: await runPeopleApp(storage.sibling()) };
  };

  test.each(['same', 'another'] as const)('is out on the next request, at the %s process', async (which) => {
    const apps = await processes();
    const { id, key, headers } = await addPerson(apps.one.url, 'Ada', 'approver');
    const { url } = apps[which];
    const page = await signInWith(url, key);
    expect([(await ask(url, ME, { headers })).status, (await ask(url, ME, { headers: page })).status]).toEqual([
      200, 200,
    ]);
    await revoke(apps.one.url, id);
    expect((await ask(url, ME, { headers })).json).toMatchObject({
      error: 'UNAUTHORIZED',
      message: 'The owner key is wrong.',
    });
    expect((await ask(url, ME, { headers: page })).json).toMatchObject({
      error: 'UNAUTHORIZED',
      message: 'The person who signed in was revoked.',
    });
    const again = await ask(url, '/owner/api/sign-in', { body: { owner_key: key } });
    expect(again.status).toBe(401);
    expect((await ask(url, ME, { headers: AS_OWNER })).status).toBe(200);
  });

  test.each([
    ['same', 'key'],
    ['same', 'sign-in'],
    ['another', 'key'],
    ['another', 'sign-in'],
  ] as const)('is cut off from an open stream, at the %s process, by %s', async (which, by) => {
    const apps = await processes();
    const session = await createSession(apps.one.url);
    const [ada, bob] = [await addPerson(apps.one.url, 'Ada', 'viewer'), await addPerson(apps.one.url, 'Bob', 'viewer')];
    const { url } = apps[which];
    const stream = async ({ key, headers }: typeof ada) => {
      const sent = by === 'key' ? headers : await signInWith(url, key);
      const { body } = await fetch(`${url}/owner/api/sessions/${session}/events`, { headers: sent });
      const reader = body?.getReader();
      await reader?.read();
      return reader;
    };
    const [adas, bobs] = [await stream(ada), await stream(bob)];
    await revoke(apps.one.url, ada.id);
    for (let isOpen = true; isOpen; ) isOpen = (await adas?.read())?.done === false;
    await ask(apps.one.url, `/owner/api/sessions/${session}/start`, { headers: AS_OWNER, body: {} });
    for (let heard = ''; !heard.includes('session.started'); )
      heard += new TextDecoder().decode((await bobs?.read())?.value);
    await bobs?.cancel();
  });
});

describe('the owner key', () => {
  const oldCookie = (value: string) => {
    const secret = new Uint8Array(32).fill(7);
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
    return { cookie: `parley_owner=${value}.${sign(value)}`, 'parley-page-key': sign(`page key of ${value}`) };
  };

  test('keeps the sign-ins of the version before', async () => {
    const { url } = await runPeopleApp();
    const headers = oldCookie(`${(Date.now() + 60_000).toString(36)}.${'A'.repeat(22)}`);
    expect((await ask(url, ME, { headers })).json).toEqual({ id: 'owner', name: 'Owner', role: 'approver' });
  });

  test('gets cookies that the version before accepts', async () => {
    const { url } = await runPeopleApp();
    const { cookie } = await signInWith(url, KEY);
    expect(cookie).toMatch(/^parley_owner=[0-9a-z]{6,12}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/);
  });

  test('signs a cookie together with its person', async () => {
    const { url } = await runPeopleApp();
    const [ada, eve] = [await addPerson(url, 'Ada', 'approver'), await addPerson(url, 'Eve', 'viewer')];
    const page = await signInWith(url, eve.key);
    for (const value of [ada.id, 'owner', '']) {
      const cookie = String(page.cookie).replace(`.${eve.id}`, value && `.${value}`);
      expect((await ask(url, ME, { headers: { ...page, cookie } })).status).toBe(401);
    }
  });
});

test('a key of a person is accepted from an address that sent many wrong keys', async () => {
  const { url } = await runPeopleApp();
  const { headers } = await addPerson(url, 'Ada', 'viewer');
  const wrong = { authorization: `Bearer ${OTHER_KEY}` };
  const statuses = [];
  for (let index = 0; index < 12; index += 1) statuses.push((await ask(url, ME, { headers: wrong })).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  expect((await ask(url, ME, { headers: AS_OWNER })).status).toBe(429);
  expect((await ask(url, ME, { headers })).status).toBe(200);
});

test('a key of a person opens no route of an agent', async () => {
  const { url } = await runPeopleApp();
  const { headers } = await addPerson(url, 'Ada', 'approver');
  const session = await createSession(url);
  expect((await ask(url, `/api/public/agent/sessions/${session}/task`, { headers })).status).toBe(401);
});

test('the key of a person that this process has not seen is accepted from an address that sent many wrong keys', async () => {
  const storage = createMemoryStorage();
  const { url } = await runPeopleApp(storage);
  const { headers } = await addPerson(url, 'Ada', 'viewer');
  const restarted = await runPeopleApp(storage);
  const guess = () => ask(restarted.url, ME, { headers: { authorization: `Bearer ${makeOwnerKey()}` } });
  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) statuses.push((await guess()).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  expect((await ask(restarted.url, ME, { headers })).json).toMatchObject({ name: 'Ada' });
  const added = await addPerson(url, 'Bob', 'viewer');
  expect((await guess()).status).toBe(429);
  expect((await ask(restarted.url, '/owner/api/sign-in', { body: { owner_key: added.key } })).status).toBe(200);
});

test('wrong keys read the storage one at a time, however many arrive together', async () => {
  const storage = createMemoryStorage();
  const { url } = await runPeopleApp(storage);
  const { headers } = await addPerson(url, 'Ada', 'viewer');
  let [fetches, underWay, most] = [0, 0, 0];
  const { fetch } = storage;
  storage.fetch = async (...asked) => {
    fetches += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    return await fetch(...asked).finally(() => {
      underWay -= 1;
    });
  };
  const guess = () => ask(url, ME, { headers: { authorization: `Bearer ${makeOwnerKey()}` } });
  const answers = await Promise.all(Array.from({ length: 30 }, guess));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  expect(most).toBe(1);
  expect(fetches).toBeLessThanOrEqual(30);
  expect((await ask(url, ME, { headers })).json).toMatchObject({ name: 'Ada' });
});

test('each person has a window of requests, which the holder of the owner key does not share', async () => {
  const storage = createMemoryStorage();
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const now = Date.UTC(2026, 10, 21, 10, 0, 15);
  vi.useFakeTimers({ now, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url } = await runApp({ people }, { storage, limits: { perPerson: 4 } });
  const [ada, bob] = [await addPerson(url, 'Ada', 'viewer'), await addPerson(url, 'Bob', 'viewer')];
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await ask(url, ME, { headers: ada.headers })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const page = await signInWith(url, ada.key);
  const refused = await ask(url, '/owner/api/sessions', { headers: page });
  expect([refused.status, refused.json.error]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBe(refused.json.retry_after_seconds);
  expect((await ask(url, ME, { headers: bob.headers })).status).toBe(200);
  expect((await ask(url, ME, { headers: AS_OWNER })).status).toBe(200);
});
