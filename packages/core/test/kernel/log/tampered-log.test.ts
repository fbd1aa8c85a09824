import { expect, test } from 'vitest';
import type { Storage } from '../../../src/kernel/storage/storage.ts';
import { createParley } from '../../../src/parley.ts';
import { openWorld } from '../support/world.ts';

/** Replaces a word in the bodies of the stored events, but leaves their hashes unchanged. */
function edited(storage: Storage, word: string, by: string): Storage {
  return {
    ...storage,
    async fetch(sessionId, after) {
      const news = await storage.fetch(sessionId, after);
      const events = news?.events.map((event) => ({ ...event, body: event.body.replace(word, by) }));
      return news && events ? { ...news, events } : news;
    },
  };
}

test('a text that was edited in the storage is refused, not shown', async () => {
  const { memory, sessionId, here, tokenA } = await openWorld();
  await here.send('POST turns', { token: tokenA, body: { summary: 'We agree on mTLS.' } });
  const failures: unknown[] = [];
  const storage = edited(memory.sibling(), 'mTLS', 'nothing');
  const parley = await createParley({ storage, onFailure: (cause) => failures.push(cause) });
  await expect(parley.owner('owner-1').view(sessionId)).rejects.toThrow('broken at event 7.');
  await parley.close();
  expect(failures).toEqual([]);
});

test('an untouched log is folded', async () => {
  const { memory, sessionId } = await openWorld();
  const parley = await createParley({ storage: edited(memory.sibling(), 'no such word', '') });
  expect((await parley.owner('owner-1').view(sessionId)).session_id).toBe(sessionId);
  await parley.close();
});
