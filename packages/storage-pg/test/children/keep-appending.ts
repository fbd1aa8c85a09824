import { setTimeout as pause } from 'node:timers/promises';
import { OutcomeUnknown, type Storage, StorageUnavailable } from '@parley/core';
import { createPgliteStorage, createPostgresStorage } from '../../src/index.ts';
import { appendOf } from '../samples.ts';

/** Appends to each session without pauses until this process is killed. Prints the head of every acknowledged append. */
const [, , engine, place = '', ...sessionIds] = process.argv;
const storage =
  engine === 'pglite'
    ? await createPgliteStorage({ folder: place })
    : await createPostgresStorage({ connectionString: place, connectMs: 1_000 });
await Promise.all(sessionIds.map((sessionId) => keepAppending(storage, sessionId)));

async function keepAppending(to: Storage, sessionId: string): Promise<void> {
  for (;;) {
    try {
      await appendOne(to, sessionId);
    } catch (error) {
      // The database was unavailable for a moment. The next fetch shows whether this append was stored.
      if (!(error instanceof OutcomeUnknown || error instanceof StorageUnavailable)) throw error;
      await pause(5);
    }
  }
}

async function appendOne(to: Storage, sessionId: string): Promise<void> {
  const news = await to.fetch(sessionId, 2 ** 31 - 1);
  if (news === null) throw new Error('the session is gone');
  const append = appendOf(sessionId, news.head);
  if ((await to.append(append)) === 'appended') process.stdout.write(`${sessionId} ${news.head.seq + 1}\n`);
}
