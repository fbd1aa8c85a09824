import { describe, expect, test } from 'vitest';
import type { Head } from '../../kernel/log/event.ts';
import type { Storage } from '../../kernel/storage/storage.ts';
import type { Opened } from './opened-storage.ts';
import { appendOf, documentOf, eventsAfter, headOf, newId, sessionOf, startSession } from './samples.ts';

const GENESIS = { seq: 0, hash: '0'.repeat(64) };

/**
 * Returns two handles on the same data, and a function that closes the second handle. If the storage allows only one
 * handle, returns that handle twice.
 */
async function twoHandles(opened: Opened): Promise<readonly [Storage, Storage, () => Promise<void>]> {
  const { storage, sibling } = opened();
  const second = (await sibling?.()) ?? storage;
  return [storage, second, async () => (second === storage ? undefined : second.close())];
}

/** Appends an event to the fetched head repeatedly, until `rounds` appends have succeeded. */
async function win(storage: Storage, sessionId: string, rounds: number, name: string): Promise<void> {
  for (let won = 0; won < rounds; ) {
    const news = await storage.fetch(sessionId, 0);
    const answer = await storage.append(appendOf(sessionId, news?.head ?? GENESIS, `${name} ${won}`));
    if (answer === 'appended') won += 1;
  }
}

async function appendUntilGone(storage: Storage, sessionId: string, from: Head): Promise<void> {
  let head = from;
  for (let round = 0; ; round += 1) {
    const [event] = eventsAfter(head, [`round ${round}`]);
    if (event === undefined) return;
    const append = { ...appendOf(sessionId, head), events: [event], documents: [documentOf(`${sessionId} ${round}`)] };
    if ((await storage.append(append)) === 'appended') head = headOf(event);
    else if ((await storage.fetch(sessionId, head.seq)) === null) return;
  }
}

export function raceCases(opened: Opened): void {
  describe('races', () => {
    test('between creates with the same id have one winner', async () => {
      const [first, second, done] = await twoHandles(opened);
      const sessionId = newId();
      const logs = Array.from({ length: 10 }, (_, index) => eventsAfter(GENESIS, [`${index}`, `${index}`]));
      const creates = logs.map((log, index) => (index % 2 ? first : second).create(sessionOf(sessionId), log, []));
      const outcomes = await Promise.allSettled(creates);
      const winners = logs.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      expect(await first.events(sessionId, 1, 10)).toEqual(winners[0]);
      await done();
    });

    test('between appends to the same head have one winner, and only its events are stored', async () => {
      const [first, second, done] = await twoHandles(opened);
      for (let round = 0; round < 10; round += 1) {
        const { sessionId, head } = await startSession(first);
        const logs = Array.from({ length: 20 }, (_, index) => eventsAfter(head, [`a${index}`, `b${index}`]));
        const answers = await Promise.all(
          logs.map((events, index) => (index % 2 ? first : second).append({ ...appendOf(sessionId, head), events })),
        );
        const winners = logs.filter((_, index) => answers[index] === 'appended');
        expect(winners).toHaveLength(1);
        expect((await first.fetch(sessionId, 1))?.events).toEqual(winners[0]);
      }
      await done();
    });

    test('between writers that retry leave one chain without a gap', async () => {
      const [first, second, done] = await twoHandles(opened);
      const { sessionId, head } = await startSession(first);
      const writers = [first, second, first, second].map((storage, index) => win(storage, sessionId, 10, `w${index}`));
      await Promise.all(writers);
      const log = (await first.fetch(sessionId, 0))?.events ?? [];
      expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
      const before = [head.hash, ...log.slice(1, -1).map(({ hash }) => hash)];
      expect(log.slice(1).map(({ body }) => JSON.parse(body).prev_hash)).toEqual(before);
      await done();
    });

    test('do not occur between appends to different sessions', async () => {
      const { storage } = opened();
      const sessions = await Promise.all(Array.from({ length: 150 }, () => startSession(storage)));
      const answers = await Promise.all(
        sessions.map(({ sessionId, head }) => storage.append(appendOf(sessionId, head))),
      );
      expect(answers.filter((answer) => answer === 'appended')).toHaveLength(150);
    });

    test('between a fetch and appends never hide an acknowledged event', async () => {
      const [first, second, done] = await twoHandles(opened);
      const sessions = await Promise.all(Array.from({ length: 20 }, () => startSession(first)));
      let noise = true;
      const pollers = sessions.map(async ({ sessionId }) => {
        while (noise) await second.fetch(sessionId, 0);
      });
      const missed = await Promise.all(
        sessions.map(async ({ sessionId, head }) => {
          const appended = await first.append(appendOf(sessionId, head));
          const seen = await second.fetch(sessionId, 0);
          return appended === 'appended' && seen?.head.seq !== 2;
        }),
      );
      noise = false;
      await Promise.all(pollers);
      expect(missed).toEqual(sessions.map(() => false));
      await done();
    });

    test('between deletes and appends leave no rows', async () => {
      const [first, second, done] = await twoHandles(opened);
      const sessions = await Promise.all(Array.from({ length: 20 }, () => startSession(first)));
      const appending = sessions.map(({ sessionId, head }) => appendUntilGone(first, sessionId, head));
      const deleted = await Promise.all(sessions.map(({ sessionId }) => second.delete(sessionId)));
      await Promise.all(appending);
      expect(deleted).toEqual(sessions.map(() => true));
      for (const { sessionId } of sessions) {
        expect(await first.events(sessionId, 1, 500)).toEqual([]);
        expect(await first.document(sessionId, documentOf(`${sessionId} 0`).sha256)).toBeNull();
        await startSession(first, sessionId);
      }
      await done();
    });
  });
}
