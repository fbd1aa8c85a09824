import { randomBytes } from 'node:crypto';
import { createParley, openPeople, type PersonRole, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, makeOwnerKey, openOwnerKey } from '@parley/owner-app';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SHARED_STORE } from './support/stores.ts';

const OWNER_KEY = `pok_${'k'.repeat(43)}`;
const MISSION = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
};

async function startProcess(storage: Storage) {
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  const parley = await createParley({ storage, limitsOf: people.limitsOf, mayInvite: people.mayInvite });
  const app = createOwnerApp({ parley, storage, people, ownerKey: await openOwnerKey('', OWNER_KEY) });
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 100 });
  const call = async (key: string, path: string, body?: unknown) => {
    const response = await fetch(`${serving.url}/owner/api${path}`, {
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a parsed body; each test knows its shape
    const json: any = await response.json();
    return { status: response.status, json };
  };
  const add = async (name: string, role: PersonRole) => (await call(OWNER_KEY, '/people', { name, role })).json;
  const close = async () => {
    people.close();
    await serving.close();
    await parley.close();
  };
  /** Redeems a code. Returns the role, or the code of the refusal, and the message of the refusal. */
  const redeem = async (code: string): Promise<string[]> => {
    const response = await fetch(`${serving.url}/api/public/agent/invitations/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a parsed body; each test knows its shape
    const { role, error, message }: any = await response.json();
    return [role ?? error, message ?? ''];
  };
  return { url: serving.url, parley, people, call, add, redeem, close };
}

async function startTwo() {
  const store = await SHARED_STORE.open();
  const storages = [await store.connect(), await store.connect()] as const;
  const processes = [await startProcess(storages[0]), await startProcess(storages[1])] as const;
  onTestFinished(async () => {
    for (const one of processes) await one.close();
    for (const storage of storages) await storage.close();
    await store.remove();
  });
  return processes;
}

describe('two processes on one database', () => {
  test('a person who one process adds and revokes is in and out at the other', async () => {
    const [one, other] = await startTwo();
    const session = (await one.call(OWNER_KEY, '/sessions', MISSION)).json.session_id;
    const { person, key } = await one.add('Ada', 'operator');
    expect((await other.call(key, '/me')).json).toEqual({ id: person.person_id, name: 'Ada', role: 'operator' });
    expect((await other.call(key, `/sessions/${session}/start`, {})).status).toBe(200);
    const { body } = await fetch(`${other.url}/owner/api/sessions/${session}/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const reader = body?.getReader();
    await reader?.read();
    expect((await one.call(OWNER_KEY, `/people/${person.person_id}/revoke`, {})).status).toBe(200);
    const refused = await other.call(key, '/me');
    expect([refused.status, refused.json.error]).toEqual([401, 'UNAUTHORIZED']);
    for (let isOpen = true; isOpen; ) isOpen = (await reader?.read())?.done === false;
  });

  test('the code of a person who one process revokes, demotes or shuts out is refused at the other', async () => {
    const [one, other] = await startTwo();
    const codeOf = async (key: string) => {
      const session = (await other.call(key, '/sessions', MISSION)).json.session_id;
      return String((await other.call(key, `/sessions/${session}/invite`, { role: 'agent_a' })).json.code);
    };
    const [revoked, demoted] = [await one.add('Revoked', 'operator'), await one.add('Demoted', 'operator')];
    const { account } = (await one.call(OWNER_KEY, '/accounts', { name: 'Team B' })).json;
    const member = { name: 'Shut out', role: 'operator', account_id: account.account_id };
    const shutOut = (await one.call(OWNER_KEY, '/people', member)).json;
    const codes = await Promise.all([revoked.key, demoted.key, shutOut.key].map(codeOf));
    const staying = await one.add('Staying', 'operator');
    const good = [await codeOf(staying.key), await codeOf(OWNER_KEY)];

    await one.call(OWNER_KEY, `/people/${revoked.person.person_id}/revoke`, {});
    await one.call(OWNER_KEY, `/people/${demoted.person.person_id}/role`, { role: 'viewer' });
    await one.call(OWNER_KEY, `/accounts/${account.account_id}/close`, {});
    const dead = [
      'INVITATION_INVALID',
      'The person who made this invitation code may not invite agents any more. Ask the owner for a new code.',
    ];
    expect(await Promise.all(codes.map(other.redeem))).toEqual([dead, dead, dead]);
    expect(await Promise.all(codes.map(one.redeem))).toEqual([dead, dead, dead]);
    expect(await Promise.all(good.map(other.redeem))).toEqual([
      ['agent_a', ''],
      ['agent_a', ''],
    ]);
  });

  test('both processes change people at once, and the log stays whole', async () => {
    const [one, other] = await startTwo();
    const names = Array.from({ length: 16 }, (_, index) => `Person ${index}`);
    const twice = await Promise.all([one, other].flatMap((at) => names.map((each) => at.add(each, 'viewer'))));
    expect(twice.filter(({ key }) => key !== undefined)).toHaveLength(16);
    expect(new Set(twice.filter(({ key }) => key === undefined).map(({ error }) => error))).toEqual(
      new Set(['INVALID_INPUT']),
    );
    const listed = (await other.call(OWNER_KEY, '/people')).json.people;
    expect(listed.map((person: { name: string }) => person.name).toSorted()).toEqual(names.toSorted());
    expect(await one.people.verifyLog()).toMatchObject({ ok: true, events: 16 });
    expect((await one.call(OWNER_KEY, '/sessions')).json.sessions).toEqual([]);
  });

  test('keys work after a restart', async () => {
    const store = await SHARED_STORE.open();
    const storage = await store.connect();
    const before = await startProcess(storage);
    const { key } = await before.add('Ada', 'approver');
    await before.close();
    await storage.close();
    const again = await store.connect();
    const after = await startProcess(again);
    onTestFinished(async () => {
      await after.close();
      await again.close();
      await store.remove();
    });
    expect((await after.call(key, '/me')).json).toMatchObject({ name: 'Ada', role: 'approver' });
    expect(await after.people.verifyLog()).toMatchObject({ ok: true, events: 1 });
  });
});
