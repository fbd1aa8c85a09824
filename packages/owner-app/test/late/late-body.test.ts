import { once } from 'node:events';
import { ownerRoutes } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession, createSessionAs } from '../ask.ts';
import {
  type AddedPerson,
  addAccount,
  addPerson,
  type PeopleApp,
  revoke,
  runPeopleApp,
  signInWith,
} from '../people-app.ts';
import { KEY, SESSION } from '../running-app.ts';
import { sampleBody } from '../sample-request.ts';
import { beginPost, type Late } from './late-request.ts';

const ROUTES = ownerRoutes();
const WRITES = ROUTES.filter(({ method }) => method === 'POST').map(({ path }) => path);
/** The routes that read no body. They are decided before a client could delay them. */
const WITHOUT_BODY = ['/people/{person_id}/readmit', '/accounts/{account_id}/reopen'];
/** The routes for which a person's role is never enough. */
const WITH_OWNER_KEY = ['/accounts', '/accounts/{account_id}/change', '/accounts/{account_id}/close'];
const WITH_BODY = WRITES.filter((path) => !WITHOUT_BODY.includes(path));
const OF_PEOPLE = WITH_BODY.filter((path) => !WITH_OWNER_KEY.includes(path));

const patternOf = (path: string): string =>
  path
    .replace(/^\/sessions\/[^/]+\//, '/sessions/{session_id}/')
    .replace(/\/p_\w+\//, '/{person_id}/')
    .replace(/\/acc_\w+\//, '/{account_id}/');

const begin = (url: string, path: string, headers: Readonly<Record<string, string>>): Promise<Late> =>
  beginPost(url, path, { headers, body: bodyFor(patternOf(path)) });

const bodyFor = (path: string): string => JSON.stringify(path === '/sessions' ? SESSION : sampleBody(path));

interface Caller extends AddedPerson {
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
}

/** A person for each route, with the path of a call that the person may make. */
async function callers(
  app: PeopleApp,
  paths: readonly string[],
  { account, by }: { account?: string; by: 'key' | 'sign-in' },
): Promise<Caller[]> {
  const { url } = app;
  const other = await addPerson(url, 'Somebody else', 'operator', account);
  const session = await createSessionAs(other.key, url);
  const made: Caller[] = [];
  for (const [index, path] of paths.entries()) {
    const person = await addPerson(url, `Approver ${index}`, 'approver', account);
    const sent = by === 'key' ? person.headers : await signInWith(url, person.key);
    const address = path.replace('{session_id}', session).replace('{person_id}', other.id);
    made.push({ ...person, path: address, sent });
  }
  return made;
}

const lastUses = async (url: string): Promise<Readonly<Record<string, string | null>>> => {
  const { json } = await ask(url, '/owner/api/people', { headers: AS_OWNER });
  return Object.fromEntries(
    json.people.map(({ person_id, last_used_at }: Record<string, string>) => [person_id, last_used_at]),
  );
};

const stored = async ({ parley, people, url }: PeopleApp): Promise<unknown> => {
  const { sessions } = await parley.owner('owner').listSessions();
  return [
    sessions,
    (await people.verifyLog()).head,
    (await ask(url, '/owner/api/accounts', { headers: AS_OWNER })).json.accounts.length,
  ];
};

/** Begins all calls, waits until the service has authenticated each, makes the change, then sends the last bytes. */
async function answersAfter(app: PeopleApp, made: readonly Caller[], change: (caller: Caller) => Promise<unknown>) {
  const before = await lastUses(app.url);
  const late: Late[] = [];
  for (const { path, sent } of made) late.push(await begin(app.url, path, sent));
  await expect
    .poll(async () => {
      const now = await lastUses(app.url);
      return made.filter(({ id }) => now[id] === before[id]).length;
    })
    .toBe(0);
  for (const caller of made) await change(caller);
  const left = await stored(app);
  const answers: string[] = [];
  for (const one of late) answers.push(await one.finish());
  expect(await stored(app)).toEqual(left);
  return Object.fromEntries(made.map(({ path }, index) => [path, answers[index]]));
}

const all = (made: readonly Caller[], answer: string) => Object.fromEntries(made.map(({ path }) => [path, answer]));

describe('a call whose body ends', () => {
  test.each(['key', 'sign-in'] as const)(
    'after the person was revoked is refused on every route, with a %s',
    async (by) => {
      const app = await runPeopleApp();
      const made = await callers(app, OF_PEOPLE, { by });
      expect(await answersAfter(app, made, ({ id }) => revoke(app.url, id))).toEqual(all(made, '401 UNAUTHORIZED'));
    },
  );

  test('after the person became a viewer is refused on every route', async () => {
    const app = await runPeopleApp();
    const made = await callers(app, OF_PEOPLE, { by: 'key' });
    const demote = ({ id }: Caller) =>
      ask(app.url, `/owner/api/people/${id}/role`, { headers: AS_OWNER, body: { role: 'viewer' } });
    expect(await answersAfter(app, made, demote)).toEqual(all(made, '403 ROLE_FORBIDDEN'));
  });

  test('after the account was closed is refused on every route', async () => {
    const app = await runPeopleApp();
    const account = await addAccount(app.url, 'Team B');
    const made = await callers(app, OF_PEOPLE, { by: 'key', account });
    const close = () => ask(app.url, `/owner/api/accounts/${account}/close`, { headers: AS_OWNER, body: {} });
    expect(await answersAfter(app, made, close)).toEqual(all(made, '401 UNAUTHORIZED'));
  });

  test('after the sign-out is refused on every route', async () => {
    const app = await runPeopleApp();
    const made = await callers(app, OF_PEOPLE, { by: 'sign-in' });
    const signOut = ({ sent: headers }: Caller) => ask(app.url, '/owner/api/sign-out', { headers, body: {} });
    expect(await answersAfter(app, made, signOut)).toEqual(all(made, '401 UNAUTHORIZED'));
  });

  test('after the sign-out of the owner key is refused on every route', async () => {
    const app = await runPeopleApp();
    const [session, account] = [await createSession(app.url), await addAccount(app.url, 'Team B')];
    const { id } = await addPerson(app.url, 'Somebody else', 'viewer');
    const left = await stored(app);
    for (const path of WITH_BODY) {
      const headers = await signInWith(app.url, KEY);
      const arrived = once(app.server, 'request');
      const address = path.replace('{session_id}', session).replace('{person_id}', id).replace('{account_id}', account);
      const late = await begin(app.url, address, headers);
      await arrived;
      expect((await ask(app.url, '/owner/api/me', { headers })).status).toBe(200);
      await ask(app.url, '/owner/api/sign-out', { headers, body: {} });
      expect([path, await late.finish()]).toEqual([path, '401 UNAUTHORIZED']);
    }
    expect(await stored(app)).toEqual(left);
  });

  test.each(WITHOUT_BODY)('is answered before that end by %s', async (path) => {
    const app = await runPeopleApp();
    const { id } = await addPerson(app.url, 'Somebody else', 'viewer');
    const address = path.replace('{person_id}', id).replace('{account_id}', await addAccount(app.url, 'Team B'));
    const { answer } = await begin(app.url, address, AS_OWNER);
    expect(await answer).toMatch(/^(200|404) /);
  });
});

describe('a repeated call with its Idempotency-Key whose body ends', () => {
  const signOut =
    (app: PeopleApp) =>
    ({ sent: headers }: Caller) =>
      ask(app.url, '/owner/api/sign-out', { headers, body: {} });
  const demote =
    (app: PeopleApp) =>
    ({ id }: Caller) =>
      ask(app.url, `/owner/api/people/${id}/role`, { headers: AS_OWNER, body: { role: 'viewer' } });
  const dismiss =
    (app: PeopleApp) =>
    ({ id }: Caller) =>
      revoke(app.url, id);

  test.each([
    ['the person was revoked', dismiss, '401 UNAUTHORIZED'],
    ['the person became a viewer', demote, '403 ROLE_FORBIDDEN'],
    ['the sign-out', signOut, '401 UNAUTHORIZED'],
  ] as const)('after %s does not get the first answer', async (_what, change, refusal) => {
    const app = await runPeopleApp();
    const path = '/sessions/{session_id}/invite';
    const [made] = await callers(app, [path], { by: 'sign-in' });
    if (!made) throw new Error('no caller');
    const caller = { ...made, sent: { ...made.sent, 'idempotency-key': 'kept' } };
    const first = await begin(app.url, caller.path, caller.sent);
    expect(await first.finish()).toBe('200 ok');
    expect(await answersAfter(app, [caller], change(app))).toEqual({ [caller.path]: refusal });
  });
});
