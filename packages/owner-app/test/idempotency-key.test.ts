import { createMemoryStorage, type Storage, StorageUnavailable } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession, type Heard, seatAgent } from './ask.ts';
import { addAccount, addPerson, runPeopleApp } from './people-app.ts';
import { SESSION } from './running-app.ts';

type Headers = Readonly<Record<string, string>>;

/** Sends a write with a key. */
const send = (url: string, path: string, body: unknown, headers: Headers): Promise<Heard> =>
  ask(url, `/owner/api${path}`, { headers: { ...AS_OWNER, ...headers }, body });

const keyed = (key: string): Headers => ({ 'idempotency-key': key });

const told = ({ status, text }: Heard) => ({ status, text });

const sessionsOf = async (url: string, headers: Headers = AS_OWNER): Promise<number> =>
  (await ask(url, '/owner/api/sessions', { headers })).json.sessions.length;

async function withAgents() {
  const app = await runPeopleApp();
  const id = await createSession(app.url);
  await ask(app.url, `/owner/api/sessions/${id}/start`, { headers: AS_OWNER, body: {} });
  for (const role of ['agent_a', 'agent_b'] as const) await seatAgent(app.url, id, role);
  const events = async () => (await ask(app.url, `/owner/api/sessions/${id}`, { headers: AS_OWNER })).json.head.seq;
  return { ...app, id, events };
}

describe('a write with an Idempotency-Key', () => {
  test.each([
    ['ask', { targets: ['agent_a'], text: 'Who owns the schema?' }],
    ['direct', { targets: ['agent_b'], text: 'Keep the public API.' }],
    ['assign-action', { target: 'agent_a', text: 'Write the runbook.' }],
    ['extend-rounds', { rounds: 2 }],
    ['invite', { role: 'moderator' }],
    ['pause', { reason: 'Lunch.' }],
  ])('is stored once and answered with the same bytes: %s', async (operation, body) => {
    const { url, id, events } = await withAgents();
    const path = `/sessions/${id}/${operation}`;
    const first = await send(url, path, body, keyed('once-1'));
    expect(first.status).toBe(200);
    const count = await events();
    expect(told(await send(url, path, body, keyed('"once-1"')))).toEqual(told(first));
    expect(await events()).toBe(count);
  });

  test('makes one session, one person and one account', async () => {
    const { url } = await runPeopleApp();
    for (const [path, body] of [
      ['/sessions', SESSION],
      ['/people', { name: 'Ada', role: 'viewer' }],
      ['/accounts', { name: 'Second' }],
    ] as const) {
      const first = await send(url, path, body, keyed('new-1'));
      expect(first.status).toBe(200);
      expect(told(await send(url, path, body, keyed('new-1')))).toEqual(told(first));
    }
    expect(await sessionsOf(url)).toBe(1);
    expect((await ask(url, '/owner/api/people', { headers: AS_OWNER })).json.people).toHaveLength(1);
  });

  test('deletes a session once, and says so again', async () => {
    const { url } = await runPeopleApp();
    const id = await createSession(url);
    const headers = { ...AS_OWNER, 'idempotency-key': 'gone' };
    const remove = () => ask(url, `/owner/api/sessions/${id}`, { method: 'DELETE', headers });
    expect(await remove()).toMatchObject({ status: 200, json: { deleted: true } });
    expect(await remove()).toMatchObject({ status: 200, json: { deleted: true } });
  });

  test('is made by one of several requests at the same moment', async () => {
    const { url } = await runPeopleApp();
    const sent = await Promise.allSettled(
      Array.from({ length: 8 }, () => send(url, '/sessions', SESSION, keyed('race'))),
    );
    const answers = sent.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
    const made = answers.filter((answer) => answer?.status === 200).map((answer) => answer?.text);
    expect(new Set(made).size).toBe(1);
    expect(answers.filter((answer) => answer?.status !== 200).map((answer) => answer?.json)).toEqual(
      Array.from({ length: 8 - made.length }, () =>
        expect.objectContaining({ error: 'IDEMPOTENCY_CONFLICT', retry_after_seconds: 1 }),
      ),
    );
    expect(await sessionsOf(url)).toBe(1);
  });

  test('is refused with another body, on the same route alone', async () => {
    const { url, id } = await withAgents();
    await send(url, `/sessions/${id}/ask`, { targets: ['agent_a'], text: 'One?' }, keyed('k'));
    expect(await send(url, `/sessions/${id}/ask`, { targets: ['agent_a'], text: 'Two?' }, keyed('k'))).toMatchObject({
      status: 409,
      json: {
        error: 'IDEMPOTENCY_CONFLICT',
        message: 'The Idempotency-Key was used before with another request.',
        hint: 'Send a new request with a new key. Repeat a key only with the request with which it was first sent.',
      },
    });
    expect((await send(url, `/sessions/${id}/direct`, { targets: ['agent_a'], text: 'Two.' }, keyed('k'))).status).toBe(
      200,
    );
  });

  test('does not use up its key if it is refused', async () => {
    const { url } = await runPeopleApp();
    const bad = { ...SESSION, requirements: [] };
    expect(await send(url, '/sessions', bad, keyed('k'))).toMatchObject({
      status: 422,
      json: { error: 'INVALID_INPUT' },
    });
    expect((await send(url, '/sessions', '{"title"', keyed('k'))).status).toBe(400);
    expect((await send(url, '/sessions', SESSION, keyed('k'))).status).toBe(200);
    expect(await sessionsOf(url)).toBe(1);
  });

  test('is refused with a malformed key', async () => {
    const { url } = await runPeopleApp();
    for (const key of ['', 'a b', 'x'.repeat(201), 'ü'])
      expect(await send(url, '/sessions', SESSION, keyed(key)), key).toMatchObject({
        status: 422,
        json: { error: 'INVALID_INPUT', issues: [{ path: 'Idempotency-Key' }] },
      });
    expect(await sessionsOf(url)).toBe(0);
  });

  test('is another write for another person, and for another account', async () => {
    const { url } = await runPeopleApp();
    const account = await addAccount(url, 'Second');
    const people = [await addPerson(url, 'Ada', 'operator'), await addPerson(url, 'Bob', 'operator', account)];
    const ids = new Set<string>();
    for (const headers of [AS_OWNER, ...people.map((person) => person.headers)])
      ids.add((await send(url, '/sessions', SESSION, { ...keyed('same'), ...headers })).json.session_id);
    expect(ids.size).toBe(3);
    expect(await sessionsOf(url, people[1]?.headers)).toBe(1);
  });

  test('gives no answer to a person whose role was lowered since', async () => {
    const { url } = await runPeopleApp();
    const { id, headers } = await addPerson(url, 'Ada', 'operator');
    const session = await createSession(url);
    const invite = () => send(url, `/sessions/${session}/invite`, { role: 'agent_a' }, { ...keyed('k'), ...headers });
    expect((await invite()).json.code).toMatch(/^pinv_/);
    await ask(url, `/owner/api/people/${id}/role`, { headers: AS_OWNER, body: { role: 'viewer' } });
    expect((await invite()).json).toMatchObject({ error: 'ROLE_FORBIDDEN' });
  });

  test('leaves neither its answer nor its key in the storage', async () => {
    const storage = createMemoryStorage();
    const written: string[] = [];
    const taped: Storage = {
      ...storage,
      create: (session, events, documents) => {
        written.push(JSON.stringify([session, events]));
        return storage.create(session, events, documents);
      },
      append: (append) => {
        written.push(JSON.stringify(append));
        return storage.append(append);
      },
    };
    const { url } = await runPeopleApp(taped);
    const session = await createSession(url);
    const { json } = await send(url, `/sessions/${session}/invite`, { role: 'agent_a' }, keyed('secret-key-1'));
    expect(written.filter((text) => /call\.(promised|answered)/.test(text))).toHaveLength(2);
    expect(written.filter((text) => text.includes(json.code) || text.includes('secret-key-1'))).toEqual([]);
  });

  /** A storage that is away for each further event about a key, after the event that claims the key. */
  function away(): Storage {
    const storage = createMemoryStorage();
    return {
      ...storage,
      append: (append) =>
        append.sessionId.startsWith('keyed-')
          ? Promise.reject(new StorageUnavailable('Away.'))
          : storage.append(append),
    };
  }

  test('is not stored if its answer cannot be kept before it', async () => {
    const { url } = await runPeopleApp(away());
    expect((await send(url, '/sessions', SESSION, keyed('k'))).status).toBe(503);
    expect(await sessionsOf(url)).toBe(0);
  });

  test('is answered though its answer cannot be kept after it, and is not made again', async () => {
    const { url } = await runPeopleApp(away());
    const add = () => send(url, '/people', { name: 'Ada', role: 'viewer' }, keyed('k'));
    expect((await add()).status).toBe(200);
    expect((await add()).json).toMatchObject({ error: 'IDEMPOTENCY_CONFLICT' });
    expect((await ask(url, '/owner/api/people', { headers: AS_OWNER })).json.people).toHaveLength(1);
  });
});
