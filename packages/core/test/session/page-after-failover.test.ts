import { expect, test } from 'vitest';
import { createMemoryStorage } from '../../src/kernel/storage/memory-storage.ts';
import type { Storage } from '../../src/kernel/storage/storage.ts';
import { sha256Hex } from '../../src/kernel/text/hash.ts';
import { openSession } from '../../src/testing/open-session.ts';

test('a page shows no hidden event if a failover changed the log between its two reads', async () => {
  const memory = createMemoryStorage();
  let isReplaced = false;
  // After a failover, a read of message 8 returns another event with the number 8. This can happen if a standby that lacks events
  // takes over after the head was read.
  const storage: Storage = {
    ...memory,
    events: async (sessionId, from, to) =>
      isReplaced
        ? (await memory.events(sessionId, 2, 2)).map(({ body: replaced }) => {
            const body = replaced.replace('"seq":2', '"seq":8');
            return { seq: 8, body, hash: sha256Hex(body) };
          })
        : await memory.events(sessionId, from, to),
  };
  const { agentA } = await openSession({ storage, cache: { eventBytes: 1 } });
  isReplaced = true;
  expect(await agentA.call('read_messages', { after: 7 })).toMatchObject({ messages: [] });
});
