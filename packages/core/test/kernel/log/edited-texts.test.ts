import { expect, test } from 'vitest';
import type { StoredEvent } from '../../../src/kernel/log/event.ts';
import type { Storage } from '../../../src/kernel/storage/storage.ts';
import { createParley } from '../../../src/parley.ts';
import { openWorld } from '../support/world.ts';

/** A storage whose `events` returns modified events. Folding uses `fetch`, which returns the original events. */
const damaged = (storage: Storage, damage: (events: readonly StoredEvent[]) => readonly StoredEvent[]): Storage => ({
  ...storage,
  events: async (sessionId, from, to) => damage(await storage.events(sessionId, from, to)),
});

test.each([
  [
    'was edited',
    (events: readonly StoredEvent[]) =>
      events.map((event) => ({ ...event, body: event.body.replace('PostgreSQL', 'SQLite') })),
  ],
  ['is missing', () => []],
  [
    'is another one',
    (events: readonly StoredEvent[]) =>
      events.map((event) => ({ ...event, body: '{"data":{}}', hash: HASH_OF_ANOTHER })),
  ],
])('a text that a superseded decision left in an event is refused when the event %s', async (_how, damage) => {
  const { memory, sessionId, here, tokenA } = await openWorld();
  for (const position of ['PostgreSQL', 'Files'])
    await here.send('POST decisions', { token: tokenA, body: { topic: 'Store', position } });
  const failures: unknown[] = [];
  const parley = await createParley({
    storage: damaged(memory.sibling(), damage),
    onFailure: (cause) => failures.push(cause),
  });
  const owner = parley.owner('owner-1');
  expect((await owner.records(sessionId, { type: 'decision' })).records).toHaveLength(2);
  // d_2 superseded d_1. A full read of either decision returns a text of event 7, and so reads the damaged event.
  for (const id of ['d_1', 'd_2'])
    await expect(owner.records(sessionId, { type: 'decision', id })).rejects.toMatchObject({
      code: 'LOG_BROKEN',
      details: { event: 7 },
    });
  await parley.close();
});

/** SHA-256 of `{"data":{}}`. */
const HASH_OF_ANOTHER = '7fb9d166d1a15bce0b9f085f3818946fd9297e4513a4a034a0ceb749292b4c0d';
