import { createMemoryStorage, type Storage } from '@parley/core';
import { expect, test } from 'vitest';
import { AS_OWNER, ask, createSession } from '../ask.ts';
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
