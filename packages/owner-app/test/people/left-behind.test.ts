import type { Person, PersonRole } from '@parley/core';
import { expect, test } from 'vitest';
import { OWNER_ID } from '../../src/server/owner-app.ts';
import { AS_OWNER, ask, createSession, createSessionAs } from '../ask.ts';
import { addAccount, addPerson, runPeopleApp } from '../people-app.ts';

type Headers = Readonly<Record<string, string>>;

async function open() {
  const { url, parley, people } = await runPeopleApp();
  const as = (headers: Headers) => async (path: string, body: object) =>
    (await ask(url, `/owner/api/${path}`, { headers, body })).json;
  const invite = async (headers: Headers, session: string, role: string): Promise<string> =>
    (await as(headers)(`sessions/${session}/invite`, { role })).code;
  const redeem = async (code: string): Promise<string> =>
    (await ask(url, '/api/public/agent/invitations/redeem', { body: { code } })).json.token;
  const read = async (session: string, token: string): Promise<number> =>
    (await ask(url, `/api/public/agent/sessions/${session}/task`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  return { url, parley, people, as, owner: as(AS_OWNER), invite, redeem, read };
}

const access = (session_id: string, role: string, secret: string, ended = false) => ({
  session_id,
  title: 'Refunds',
  role,
  prefix: secret.slice(0, 10),
  expires_at: expect.any(String),
  ended,
});

const NOTHING = { approvals: [], more: { approvals: 0, invitations: 0, tokens: 0 }, failed: 0 };

test('a revocation names the codes and tokens of the person, and ends them if it is asked to', async () => {
  const { url, owner, invite, redeem, read } = await open();
  const session = await createSession(url);
  const olga = await addPerson(url, 'Olga', 'operator');
  const token = await redeem(await invite(olga.headers, session, 'agent_a'));
  const code = await invite(olga.headers, session, 'moderator');
  const others = await redeem(await invite(AS_OWNER, session, 'agent_b'));
  const left = (ended: boolean) => ({
    ...NOTHING,
    invitations: [access(session, 'moderator', code, ended)],
    tokens: [access(session, 'agent_a', token, ended)],
    ended: ended ? 2 : 0,
  });
  const path = `people/${olga.id}/revoke`;
  expect((await owner(path, {})).left).toEqual(left(false));
  expect(await read(session, token)).toBe(200);
  expect((await owner(path, { end_access: true })).left).toEqual(left(true));
  expect((await owner(path, { end_access: true })).left).toEqual({ ...NOTHING, invitations: [], tokens: [], ended: 0 });
  expect([await read(session, token), await read(session, others)]).toEqual([401, 200]);
});

test('a revocation names the other ids of the same human that can still sign in', async () => {
  const { people, owner } = await open();
  const account = await people.admit({ subject: 'https://login.example.com 7', name: 'Olga', role: 'approver' });
  const add = async (name: string, same_person_as: string): Promise<string> =>
    (await owner('people', { name, role: 'approver', same_person_as })).person.person_id;
  const key = await add('Olga at home', account.id);
  const phone = await add('Olga on the phone', key);
  const named = async (id: string) => (await owner(`people/${id}/revoke`, {})).left.same_person;
  expect(await named(account.id)).toEqual([
    { person_id: key, name: 'Olga at home', role: 'approver' },
    { person_id: phone, name: 'Olga on the phone', role: 'approver' },
  ]);
  await owner(`people/${account.id}/readmit`, {});
  const again = await people.admit({ subject: 'https://login.example.com 7', name: 'Olga', role: 'approver' });
  expect(await named(phone)).toEqual([
    { person_id: key, name: 'Olga at home', role: 'approver' },
    { person_id: again.id, name: 'Olga', role: 'approver' },
  ]);
  await owner(`people/${key}/revoke`, {});
  expect(await named(again.id)).toBeUndefined();
});

test('a demotion ends the codes and tokens of the person, and keeps those of others for the same role', async () => {
  const { url, owner, invite, redeem, read } = await open();
  const session = await createSession(url);
  const olga = await addPerson(url, 'Olga', 'operator');
  const token = await redeem(await invite(olga.headers, session, 'agent_a'));
  const ofOwner = await invite(AS_OWNER, session, 'agent_a');
  const kept = await redeem(await invite(AS_OWNER, session, 'agent_b'));
  const code = await invite(olga.headers, session, 'agent_b');
  const path = `people/${olga.id}/role`;
  expect((await owner(path, { role: 'viewer', end_access: true })).left).toEqual({
    ...NOTHING,
    invitations: [access(session, 'agent_b', code, true)],
    tokens: [access(session, 'agent_a', token, true)],
    ended: 2,
  });
  expect([await read(session, token), await read(session, kept)]).toEqual([401, 200]);
  expect(await redeem(ofOwner)).toMatch(/^prt_/);
  await owner(path, { role: 'operator' });
  expect(await redeem(code)).toBeUndefined();
});

test('a revocation also names and ends what an earlier id of the same company account left behind', async () => {
  const { url, parley, people, owner, redeem, read } = await open();
  const session = await createSession(url);
  const signIn = () => people.admit({ subject: 'https://login.example.com 7', name: 'Olga', role: 'operator' });
  const inviteAs = async (person: Person, role: 'agent_a' | 'agent_b') =>
    (await parley.owner(OWNER_ID, { person }).invite(session, { role })).code;
  const token = await redeem(await inviteAs(await signIn(), 'agent_a'));
  await people.dismiss('https://login.example.com 7');
  const again = await signIn();
  const code = await inviteAs(again, 'agent_b');
  expect((await owner(`people/${again.id}/revoke`, { end_access: true })).left).toEqual({
    ...NOTHING,
    invitations: [access(session, 'agent_b', code, true)],
    tokens: [access(session, 'agent_a', token, true)],
    ended: 2,
  });
  expect(await read(session, token)).toBe(401);
});

test('what a company account leaves behind whose groups took rights is named and ended by its present role', async () => {
  const { url, parley, people, as, owner, redeem, read } = await open();
  const session = await createSession(url);
  const signIn = (role: PersonRole) => people.admit({ subject: 'https://login.example.com 7', name: 'Olga', role });
  const { id, ...person } = await signIn('approver');
  const { code } = await parley.owner(OWNER_ID, { person: { id, ...person } }).invite(session, { role: 'agent_a' });
  const token = await redeem(code);
  await signIn('viewer');
  const path = `people/${id}/role`;
  const left = (ended: boolean) => ({
    ...NOTHING,
    invitations: [],
    tokens: [access(session, 'agent_a', token, ended)],
    ended: ended ? 1 : 0,
  });
  expect((await owner(path, { role: 'viewer' })).left).toEqual(left(false));
  expect((await owner(path, { role: 'operator' })).issues).toEqual([
    expect.objectContaining({ path: 'role', message: expect.stringContaining('The groups of the company account') }),
  ]);
  const bea = await addPerson(url, 'Bea', 'operator');
  expect((await as(bea.headers)(path, { role: 'viewer', end_access: true })).error).toBe('ROLE_FORBIDDEN');
  expect((await owner(path, { role: 'viewer', end_access: true })).left).toEqual(left(true));
  expect(await read(session, token)).toBe(401);
});

test('a revocation names the people whom the person added, because the person has seen their keys', async () => {
  const { url, as, owner } = await open();
  const ada = await addPerson(url, 'Ada', 'approver');
  const added = await as(ada.headers)('people', { name: 'Bob', role: 'operator' });
  await as(ada.headers)('people', { name: 'Carl', role: 'viewer' });
  await addPerson(url, 'Dora', 'operator');
  const bob = { person_id: added.person.person_id, name: 'Bob', role: 'operator' };
  const carl = { person_id: expect.stringMatching(/^p_/), name: 'Carl', role: 'viewer' };
  expect((await owner(`people/${ada.id}/role`, { role: 'operator' })).left.people).toEqual([bob, carl]);
  expect((await owner(`people/${ada.id}/revoke`, {})).left.people).toEqual([bob, carl]);
  await owner(`people/${bob.person_id}/revoke`, {});
  expect((await owner(`people/${ada.id}/revoke`, {})).left.people).toEqual([carl]);
});

test('a role that may invite leaves nothing behind, and ends no access', async () => {
  const { url, owner, invite } = await open();
  const session = await createSession(url);
  const ada = await addPerson(url, 'Ada', 'approver');
  await invite(ada.headers, session, 'agent_a');
  const path = `people/${ada.id}/role`;
  expect((await owner(path, { role: 'operator' })).left).toEqual({
    ...NOTHING,
    invitations: [],
    tokens: [],
    ended: 0,
  });
  expect((await owner(path, { role: 'operator', end_access: true })).issues).toEqual([
    { path: 'end_access', message: 'An operator may invite agents, so their access stays. Leave end_access out.' },
  ]);
});

test('who gives up the own rights cannot end access in the same call', async () => {
  const { url, as } = await open();
  const ada = await addPerson(url, 'Ada', 'approver');
  const answer = await as(ada.headers)(`people/${ada.id}/revoke`, { end_access: true });
  expect(answer.issues).toEqual([
    { path: 'end_access', message: 'After this call you may not end access. Ask another approver to make it.' },
  ]);
  expect((await as(ada.headers)(`people/${ada.id}/revoke`, {})).left.ended).toBe(0);
});

test('closing an account counts what its people leave behind, without naming its sessions', async () => {
  const { url, as, owner, invite, redeem, read } = await open();
  const account = await addAccount(url, 'Team B');
  const bea = await addPerson(url, 'Bea', 'approver', account);
  const session = await createSessionAs(bea.key, url);
  const token = await redeem(await invite(bea.headers, session, 'agent_a'));
  await invite(bea.headers, session, 'agent_b');
  const counted = { ...NOTHING, invitations: [], tokens: [], more: { approvals: 0, invitations: 1, tokens: 1 } };
  expect((await owner(`accounts/${account}/close`, {})).left).toEqual({ ...counted, ended: 0 });
  expect(await read(session, token)).toBe(200);
  expect((await owner(`accounts/${account}/close`, { end_access: true })).left).toEqual({ ...counted, ended: 2 });
  expect(await read(session, token)).toBe(401);
  expect((await as(bea.headers)(`accounts/${account}/close`, {})).left).toBeUndefined();
});
