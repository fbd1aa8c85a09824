import { describe, expect, test } from 'vitest';
import type { Opened } from './opened-storage.ts';
import { appendOf, documentOf, eventAfter, growLarge, growSession, newId, sessionOf, startSession } from './samples.ts';

export function readCases(opened: Opened): void {
  describe('fetch', () => {
    test('returns null for an unknown session', async () => {
      expect(await opened().storage.fetch(newId(), 0)).toBeNull();
    });

    test('returns no events after the head or after a higher number', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const nothingNew = { head, events: [], more: false };
      expect(await storage.fetch(sessionId, 1)).toEqual(nothingNew);
      expect(await storage.fetch(sessionId, 7)).toEqual(nothingNew);
      expect(await storage.fetch(sessionId, Number.MAX_SAFE_INTEGER)).toEqual(nothingNew);
    });

    test('returns a long log in pages of 500 events', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      await growSession(storage, sessionId, head, 1_200);
      const pages = [
        await storage.fetch(sessionId, 0),
        await storage.fetch(sessionId, 500),
        await storage.fetch(sessionId, 1_000),
      ];
      expect(pages.map((page) => page?.events.length)).toEqual([500, 500, 200]);
      expect(pages.map((page) => page?.more)).toEqual([true, true, false]);
      expect(pages.map((page) => page?.head.seq)).toEqual([1_200, 1_200, 1_200]);
      expect(pages[1]?.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, index) => index + 501));
    });

    test('ends a page of large events with the event that reaches 4 MiB', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      await growLarge(storage, sessionId, head);
      const pages = [await storage.fetch(sessionId, 1), await storage.fetch(sessionId, 5)];
      expect(pages.map((page) => page?.events.map(({ seq }) => seq))).toEqual([
        [2, 3, 4, 5],
        [6, 7],
      ]);
      expect(pages.map((page) => page?.more)).toEqual([true, false]);
    });

    test('returns no events if more follow than the caller wants', async () => {
      const { storage } = opened();
      const { sessionId, head: first } = await startSession(storage);
      const head = await growSession(storage, sessionId, first, 12);
      expect(await storage.fetch(sessionId, 1, 10)).toEqual({ head, events: [], more: true });
      expect(await storage.fetch(sessionId, 0, 0)).toEqual({ head, events: [], more: true });
      expect(await storage.fetch(sessionId, 12, 10)).toEqual({ head, events: [], more: false });
      const [none, ten, all] = await Promise.all([
        storage.fetch(sessionId, 0, 10),
        storage.fetch(sessionId, 2, 10),
        storage.fetch(sessionId, 0),
      ]);
      expect([none, ten, all].map((news) => news?.events.length)).toEqual([0, 10, 12]);
      expect([none, ten, all].map((news) => news?.more)).toEqual([true, false, false]);
    });

    test('returns for each of many simultaneous calls the events of its session', async () => {
      const { storage } = opened();
      const sessions = await Promise.all(Array.from({ length: 30 }, () => startSession(storage)));
      const asked = [...sessions, ...sessions].map(({ sessionId }, index) => storage.fetch(sessionId, index % 2));
      const heads = (await Promise.all(asked)).map((news) => news?.head);
      expect(heads).toEqual([...sessions, ...sessions].map(({ head }) => head));
    });
  });

  describe('find', () => {
    test('returns the same entry of a session as list', async () => {
      const { storage } = opened();
      const { sessionId } = await startSession(storage);
      expect(await storage.find('owner', sessionId)).toEqual({
        sessionId,
        title: 'Title',
        status: 'DRAFT',
        phase: 'PLANNING',
        createdAt: '2026-01-02T03:04:05.678Z',
        seq: 1,
      });
    });

    test('returns null for an unknown session and for a session of another owner', async () => {
      const { storage } = opened();
      const { sessionId } = await startSession(storage);
      expect(await storage.find(newId(), sessionId)).toBeNull();
      expect(await storage.find('owner', newId())).toBeNull();
    });
  });

  describe('events', () => {
    test('returns the requested numbers, both ends included', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      await growSession(storage, sessionId, head, 520);
      const seqs = async (from: number, to: number) =>
        (await storage.events(sessionId, from, to)).map(({ seq }) => seq);
      expect(await seqs(3, 5)).toEqual([3, 4, 5]);
      expect(await seqs(519, Number.MAX_SAFE_INTEGER)).toEqual([519, 520]);
      expect(await seqs(0, 2)).toEqual([1, 2]);
      expect(await seqs(5, 3)).toEqual([]);
      expect(await seqs(1, 520)).toHaveLength(500);
      expect(await storage.events(newId(), 1, 10)).toEqual([]);
    });
  });

  test('events ends with the event that reaches the requested size, by default 4 MiB', async () => {
    const { storage } = opened();
    const { sessionId, head } = await startSession(storage);
    await growLarge(storage, sessionId, head);
    const seqs = async (maxBytes?: number) => (await storage.events(sessionId, 2, 7, maxBytes)).map(({ seq }) => seq);
    expect(await seqs()).toEqual([2, 3, 4, 5]);
    expect(await seqs(1)).toEqual([2]);
    expect(await seqs(2_000_000)).toEqual([2, 3]);
    expect(await seqs(100_000_000)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  describe('document', () => {
    test('is readable in its own session only', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const other = await startSession(storage);
      const document = documentOf('private to one');
      await storage.append({ ...appendOf(sessionId, head), documents: [document] });
      expect(await storage.document(sessionId, document.sha256)).toBe('private to one');
      expect(await storage.document(other.sessionId, document.sha256)).toBeNull();
      expect(await storage.document(sessionId, 'f'.repeat(64))).toBeNull();
    });
  });

  describe('list', () => {
    test('returns the sessions of the given owner, newest first, in pages', async () => {
      const { storage } = opened();
      const owner = newId();
      const times = ['2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.003Z', '2026-03-01T00:00:00.002Z'];
      const ids = times.map((_, index) => `${owner}-${index}`);
      for (const [index, time] of times.entries())
        await storage.create(sessionOf(ids[index] ?? '', owner, time), [], []);
      const tied = `${owner}-3`;
      await storage.create(sessionOf(tied, owner, '2026-03-01T00:00:00.003Z'), [], []);
      const order = [tied, ids[1], ids[2], ids[0]];
      const list = async (limit: number, after?: string) => {
        const page = after === undefined ? { limit } : { limit, after };
        return (await storage.list(owner, page)).map(({ sessionId }) => sessionId);
      };
      expect(await list(200)).toEqual(order);
      expect(await list(3)).toEqual(order.slice(0, 3));
      expect(await list(3, ids[2])).toEqual(order.slice(3));
      expect(await list(3, ids[0])).toEqual([]);
      expect(await storage.list(newId(), { limit: 10 })).toEqual([]);
    });

    test('returns number, title, status and phase as the last append stored them', async () => {
      const { storage } = opened();
      const owner = newId();
      const sessionId = newId();
      const first = eventAfter({ seq: 0, hash: '0'.repeat(64) });
      await storage.create(sessionOf(sessionId, owner), [first], []);
      await storage.append({ ...appendOf(sessionId, first), listing: { status: 'CLOSED', phase: 'RELEASE' } });
      expect(await storage.list(owner, { limit: 1 })).toEqual([
        {
          sessionId,
          title: 'Title',
          status: 'CLOSED',
          phase: 'RELEASE',
          createdAt: '2026-01-02T03:04:05.678Z',
          seq: 2,
        },
      ]);
    });
  });
}
