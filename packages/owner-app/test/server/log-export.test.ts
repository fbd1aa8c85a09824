import { createMemoryStorage, type Storage } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession } from '../ask.ts';
import { addPerson, runPeopleApp, signInWith } from '../people-app.ts';
import { runApp } from '../running-app.ts';

test('the connection breaks if the session is deleted while its log is exported', async () => {
  const memory = createMemoryStorage();
  let isDeleting = false;
  const storage: Storage = {
    ...memory,
    async events(...range) {
      const events = await memory.events(...range);
      if (isDeleting) await memory.delete(range[0]);
      return events;
    },
  };
  const { url, requests } = await runApp({}, { storage });
  const sessionId = await createSession(url);
  const path = `/owner/api/sessions/${sessionId}/log`;
  expect(await ask(url, path, { headers: AS_OWNER })).toMatchObject({ status: 200 });
  isDeleting = true;
  await expect(ask(url, path, { headers: AS_OWNER })).rejects.toThrow(TypeError);
  await expect.poll(() => requests.filter((request) => request.path === path)).toHaveLength(2);
});

/** Opens the app on a storage that runs `during` once, while it reads the events of a session for an export. */
async function runInterrupted(
  during: (app: { readonly url: string; readonly revoke: (id: string) => Promise<unknown> }) => Promise<unknown>,
) {
  const memory = createMemoryStorage();
  const waiting: (() => Promise<unknown>)[] = [];
  const storage: Storage = {
    ...memory,
    async events(...range) {
      if (range[0] !== 'people') await waiting.pop()?.();
      return await memory.events(...range);
    },
  };
  const { url, people } = await runPeopleApp(storage);
  const sessionId = await createSession(url);
  const app = { url, revoke: (id: string) => people.calls().revokePerson(id) };
  return { url, path: `/owner/api/sessions/${sessionId}/log`, interrupt: () => waiting.push(() => during(app)) };
}

describe('an export whose first event is not read yet', () => {
  test('breaks if the person is revoked', async () => {
    let id = '';
    const { url, path, interrupt } = await runInterrupted(({ revoke }) => revoke(id));
    const ada = await addPerson(url, 'Ada', 'viewer');
    id = ada.id;
    expect(await ask(url, path, ada)).toMatchObject({ status: 200 });
    interrupt();
    await expect(ask(url, path, ada)).rejects.toThrow(TypeError);
  });

  test('breaks if the person signs out', async () => {
    let headers = {};
    const { url, path, interrupt } = await runInterrupted((app) =>
      ask(app.url, '/owner/api/sign-out', { headers, body: {} }),
    );
    headers = await signInWith(url, (await addPerson(url, 'Ada', 'viewer')).key);
    expect(await ask(url, path, { headers })).toMatchObject({ status: 200 });
    interrupt();
    await expect(ask(url, path, { headers })).rejects.toThrow(TypeError);
  });
});
