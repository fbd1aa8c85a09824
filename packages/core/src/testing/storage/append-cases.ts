import { describe, expect, test } from 'vitest';
import type { Head } from '../../kernel/log/event.ts';
import { type Storage, StorageUnavailable } from '../../kernel/storage/storage.ts';
import {
  ACTIVE,
  appendOf,
  documentOf,
  eventAfter,
  eventsAfter,
  headOf,
  newId,
  type Opened,
  sessionOf,
  startSession,
} from './samples.ts';

const GENESIS = { seq: 0, hash: '0'.repeat(64) };

export function appendCases(opened: Opened): void {
  describe('create', () => {
    test('stores events and documents whole', async () => {
      const { storage } = opened();
      const sessionId = newId();
      const events = eventsAfter(GENESIS, ['one', 'two']);
      await storage.create(sessionOf(sessionId), events, [documentOf('the text')]);
      expect(await storage.fetch(sessionId, 0)).toEqual({ head: headOf(events[1] ?? GENESIS), events, more: false });
      expect(await storage.document(sessionId, documentOf('the text').sha256)).toBe('the text');
    });

    test('starts an empty log at the genesis head', async () => {
      const { storage } = opened();
      const sessionId = newId();
      await storage.create(sessionOf(sessionId), [], []);
      expect(await storage.fetch(sessionId, 0)).toEqual({ head: GENESIS, events: [], more: false });
      expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
    });

    test('rejects an id that exists and leaves that session as it was', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const events = eventsAfter(GENESIS, ['another', 'log']);
      await expect(storage.create(sessionOf(sessionId), events, [documentOf('new')])).rejects.toThrow();
      expect(await storage.fetch(sessionId, 1)).toEqual({ head, events: [], more: false });
      expect(await storage.document(sessionId, documentOf('new').sha256)).toBeNull();
    });
  });

  describe('append', () => {
    test('moves the head and keeps the events', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const events = eventsAfter(head, ['two', 'three', 'four']);
      const listing = { ...ACTIVE, phase: 'BUILDING' };
      expect(await storage.append({ sessionId, expected: head, events, documents: [], listing })).toBe('appended');
      expect(await storage.fetch(sessionId, 1)).toEqual({ head: headOf(events[2] ?? head), events, more: false });
    });

    test.each([
      ['behind the log', { seq: 0, hash: GENESIS.hash }],
      ['ahead of the log', { seq: 2, hash: 'a'.repeat(64) }],
      ['with another hash', { seq: 1, hash: 'a'.repeat(64) }],
    ])('refuses an expected head %s and stores nothing', async (_, expected) => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const lost = documentOf(`lost ${expected.seq}`);
      expect(await storage.append({ ...appendOf(sessionId, expected), documents: [lost] })).toBe('refused');
      expect(await storage.fetch(sessionId, 1)).toEqual({ head, events: [], more: false });
      expect(await storage.document(sessionId, lost.sha256)).toBeNull();
    });

    test('refuses an unknown session', async () => {
      expect(await opened().storage.append(appendOf(newId(), GENESIS))).toBe('refused');
    });

    test('refuses the same append a second time', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const append = appendOf(sessionId, head);
      expect(await storage.append(append)).toBe('appended');
      expect(await storage.append(append)).toBe('refused');
    });

    test('stores a document that is appended several times only once', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const document = documentOf('often');
      const second = eventAfter(head);
      await storage.append({ ...appendOf(sessionId, head), events: [second], documents: [document, document] });
      const again = await storage.append({ ...appendOf(sessionId, headOf(second)), documents: [document] });
      expect(again).toBe('appended');
      expect(await storage.document(sessionId, document.sha256)).toBe('often');
    });

    test.each([
      ['without events', []],
      ['with a gap in the numbers', [{ seq: 3, hash: 'b'.repeat(64), body: '{}' }]],
      ['with an empty body', [{ seq: 2, hash: 'b'.repeat(64), body: '' }]],
    ])('rejects an append %s', async (_, events) => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      await expect(storage.append({ ...appendOf(sessionId, head), events })).rejects.toThrow(TypeError);
      expect(await storage.fetch(sessionId, 0)).toMatchObject({ head });
    });
  });
}

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

export function lifeCases(opened: Opened): void {
  describe('delete', () => {
    test('deletes every row of a session; a second delete finds nothing', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const document = documentOf('to be erased');
      await storage.append({ ...appendOf(sessionId, head), documents: [document] });
      expect(await storage.delete(sessionId)).toBe(true);
      expect(await storage.delete(sessionId)).toBe(false);
      expect(await storage.fetch(sessionId, 0)).toBeNull();
      expect(await storage.events(sessionId, 1, 500)).toEqual([]);
      expect(await storage.document(sessionId, document.sha256)).toBeNull();
      expect(await storage.append(appendOf(sessionId, head))).toBe('refused');
    });

    test('with a head erases only a log that has this head', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const append = appendOf(sessionId, head);
      await storage.append(append);
      expect(await storage.delete(sessionId, head)).toBe(false);
      expect(await storage.events(sessionId, 1, 9)).toHaveLength(2);
      const [last = head] = append.events;
      expect(await storage.delete(sessionId, { seq: 2, hash: head.hash })).toBe(false);
      expect(await storage.delete(sessionId, { seq: 2, hash: last.hash })).toBe(true);
      expect(await storage.fetch(sessionId, 0)).toBeNull();
    });

    test('returns false for an unknown session', async () => {
      expect(await opened().storage.delete(newId())).toBe(false);
    });
  });

  describe('life', () => {
    test('health resolves', async () => {
      await expect(opened().storage.health()).resolves.toBeUndefined();
    });

    test('a closed handle refuses calls and leaves the others open', async ({ skip }) => {
      const { storage, sibling } = opened();
      const other = await sibling?.();
      if (other === undefined) return skip();
      const { sessionId, head } = await startSession(other);
      await Promise.all([other.close(), other.close()]);
      await expect(other.append(appendOf(sessionId, head))).rejects.toThrow(StorageUnavailable);
      await expect(other.fetch(sessionId, 0)).rejects.toThrow(StorageUnavailable);
      await expect(other.health()).rejects.toThrow(StorageUnavailable);
      expect(await storage.append(appendOf(sessionId, head))).toBe('appended');
    });

    test('close waits for the calls in progress, and the data remains', async ({ skip }) => {
      const { storage, reopen } = opened();
      if (reopen === undefined) return skip();
      const secret = await storage.secret();
      const { sessionId, head } = await startSession(storage);
      const append = storage.append(appendOf(sessionId, head));
      await storage.close();
      expect(await append).toBe('appended');
      const again = await reopen();
      expect((await again.fetch(sessionId, 0))?.head.seq).toBe(2);
      expect(await again.secret()).toBe(secret);
      await again.close();
    });
  });
}
