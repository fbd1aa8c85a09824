import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { GENESIS, type Head, recordEvent, type StoredEvent } from '../../kernel/log/event.ts';
import type { OwnerEvent, OwnerEventPosition, Storage } from '../../kernel/storage/storage.ts';
import {
  ACTIVE,
  appendOf,
  documentOf,
  eventAfter,
  eventsAfter,
  growLarge,
  growSession,
  headOf,
  newId,
  type Opened,
  sessionOf,
  startSession,
} from './samples.ts';

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

    test('returns number, status and phase as the last append stored them, title and time as the session was created', async () => {
      const { storage } = opened();
      const owner = newId();
      const sessionId = newId();
      const first = eventAfter({ seq: 0, hash: '0'.repeat(64) });
      await storage.create(sessionOf(sessionId, owner), [first], []);
      await storage.append({
        ...appendOf(sessionId, first),
        listing: { title: 'Not stored', status: 'CLOSED', phase: 'RELEASE', createdAt: '2027-01-02T03:04:05.678Z' },
      });
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

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

interface Done {
  readonly second: number;
  readonly kind?: string;
  readonly actor?: 'owner' | 'agent_a' | 'system';
  readonly person?: string;
  readonly data?: unknown;
}

function eventsOf(sessionId: string, done: readonly Done[], from: Head = GENESIS): StoredEvent[] {
  const events: StoredEvent[] = [];
  for (const { second, kind = 'session.paused', actor = 'owner', person, data = {} } of done) {
    const named = person === undefined ? {} : { person: { id: person, name: `Name of ${person}` } };
    const draft = { kind, v: 1, at: at(second), actor, ...named, data };
    events.push(recordEvent(sessionId, events.at(-1) ?? from, draft).stored);
  }
  return events;
}

async function start(storage: Storage, ownerId: string, done: readonly Done[], sessionId = newId()): Promise<string> {
  await storage.create(sessionOf(sessionId, ownerId), eventsOf(sessionId, done), []);
  return sessionId;
}

const placesOf = (events: readonly OwnerEvent[]) => events.map(({ sessionId, seq }) => [sessionId, seq]);

const FIRST = { order: 'newest', limit: 200 } as const;

export function ownerEventCases(opened: Opened): void {
  describe('the events of the owner', () => {
    test('are those of all sessions by time, session and number, in both orders, page by page', async () => {
      const { storage } = opened();
      const owner = newId();
      const [a, b] = [`${owner}a`, `${owner}b`];
      await start(storage, owner, [{ second: 1 }, { second: 2, actor: 'agent_a' }, { second: 5 }, { second: 5 }], a);
      await start(storage, owner, [{ second: 3 }, { second: 4, actor: 'system' }, { second: 5 }], b);
      await start(storage, newId(), [{ second: 3 }]);
      const newest = [
        [b, 3],
        [a, 4],
        [a, 3],
        [b, 1],
        [a, 1],
      ];
      const all = await storage.ownerEvents([owner], FIRST);
      expect(placesOf(all)).toEqual(newest);
      const [stored] = eventsOf(b, [{ second: 3 }]);
      expect(all[3]).toEqual({ sessionId: b, title: 'Title', ...stored });
      for (const order of ['newest', 'oldest'] as const) {
        const pages: unknown[] = [];
        for (let after: OwnerEventPosition | undefined; ; ) {
          const [one] = await storage.ownerEvents([owner], { order, limit: 1, after });
          if (!one) break;
          pages.push([one.sessionId, one.seq]);
          after = { at: JSON.parse(one.body).at, sessionId: one.sessionId, seq: one.seq };
        }
        expect(pages).toEqual(order === 'newest' ? newest : newest.toReversed());
      }
    });

    test('are those of several owners, and follow appends and deletions', async () => {
      const { storage } = opened();
      const [one, other] = [newId(), newId()];
      const sessionId = await start(storage, one, [{ second: 1 }]);
      const second = await start(storage, other, [{ second: 2 }]);
      expect(placesOf(await storage.ownerEvents([one, other], FIRST))).toEqual([
        [second, 1],
        [sessionId, 1],
      ]);
      const [first] = eventsOf(sessionId, [{ second: 1 }]);
      const expected = headOf(first ?? GENESIS);
      const events = eventsOf(sessionId, [{ second: 3, actor: 'agent_a' }, { second: 4 }], expected);
      await storage.append({ sessionId, expected, events, documents: [], listing: ACTIVE });
      expect(placesOf(await storage.ownerEvents([one, other], FIRST))).toEqual([
        [sessionId, 3],
        [second, 1],
        [sessionId, 1],
      ]);
      await storage.delete(sessionId);
      expect(placesOf(await storage.ownerEvents([one, other], FIRST))).toEqual([[second, 1]]);
      expect(await storage.ownerEvents([], FIRST)).toEqual([]);
    });

    test('can be filtered by session, person, kind and time', async () => {
      const { storage } = opened();
      const owner = newId();
      const odd = 'a "quoted" \\ id, with "person":{"id":"p_1"';
      const sessionId = await start(storage, owner, [
        { second: 1, person: 'p_1', kind: 'session.created' },
        { second: 2, person: odd },
        { second: 3, data: { person: { id: 'p_1', name: 'x' } } },
        { second: 4, person: 'p_10', kind: 'session.ended' },
        { second: 5, person: 'p_1', kind: 'session.ended', data: { note: '🙂"\\'.repeat(500) } },
      ]);
      await start(storage, owner, [{ second: 6, person: 'p_1' }]);
      const seqs = async (filter: object) =>
        (await storage.ownerEvents([owner], { ...FIRST, sessionId, ...filter })).map(({ seq }) => seq);
      expect(await seqs({})).toEqual([5, 4, 3, 2, 1]);
      expect(await seqs({ personId: 'p_1' })).toEqual([5, 1]);
      expect(await seqs({ personId: odd })).toEqual([2]);
      expect(await seqs({ personId: 'p_' })).toEqual([]);
      expect(await seqs({ kind: 'session.ended' })).toEqual([5, 4]);
      expect(await seqs({ kind: 'session.ended', personId: 'p_10' })).toEqual([4]);
      expect(await seqs({ from: at(2), to: at(4) })).toEqual([3, 2]);
      expect(await seqs({ order: 'oldest', from: at(4) })).toEqual([4, 5]);
      expect(await seqs({ sessionId: newId() })).toEqual([]);
      expect(await storage.ownerEvents([owner], { ...FIRST, personId: 'p_1' })).toHaveLength(3);
    });

    test('stop after the event with which the texts reach 4 MiB', async () => {
      const { storage } = opened();
      const owner = newId();
      const data = { text: 'x'.repeat(1_200_000) };
      await start(
        storage,
        owner,
        [1, 2, 3, 4, 5, 6].map((second) => ({ second, data })),
      );
      expect((await storage.ownerEvents([owner], FIRST)).map(({ seq }) => seq)).toEqual([6, 5, 4, 3]);
    });

    test('leave out a text that is no event', async () => {
      const { storage } = opened();
      const owner = newId();
      const body = 'owner"'.repeat(40);
      const hash = createHash('sha256').update(body).digest('hex');
      await storage.create(sessionOf(newId(), owner), [{ seq: 1, hash, body: `no ${body}` }], []);
      expect(await storage.ownerEvents([owner], { ...FIRST, kind: 'x' })).toEqual([]);
    });
  });
}

const AWKWARD = 'quotes " \' \\ braces {a,b} \t\r\n \u2028 \u001d \u001f \u007f é 漢 🦜 \ufffd \ufeff NULL $1 ? %s';

export function textCases(opened: Opened): void {
  describe('text', () => {
    test('is read as it was stored', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const bodies = [
        `raw ${AWKWARD}`,
        JSON.stringify({ escaped: AWKWARD, keys: { b: 1, a: 1e2 } }),
        '🦜'.repeat(100_000),
      ];
      const events = bodies.map((body, index) => ({ ...eventAfter(head), seq: head.seq + 1 + index, body }));
      const documents = [documentOf(AWKWARD), documentOf(`${AWKWARD}\u001e`), documentOf('')];
      await storage.append({ ...appendOf(sessionId, head), events, documents });
      expect((await storage.events(sessionId, 2, 4)).map(({ body }) => body)).toEqual(bodies);
      for (const { sha256, body } of documents) expect(await storage.document(sessionId, sha256)).toBe(body);
    });

    test.each([
      ['U+0000', 'a\u0000b'],
      ['a lone high surrogate', 'a\ud83eb'],
      ['a lone low surrogate', 'a\udd9cb'],
    ])('with %s is refused everywhere, while other appends succeed', async (_, bad) => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const neighbours = await Promise.all(Array.from({ length: 4 }, () => startSession(storage)));
      const append = appendOf(sessionId, head);
      const badEvent = { ...eventAfter(head), body: bad };
      const badDocument = { sha256: 'a'.repeat(64), body: bad };
      const outcomes = await Promise.allSettled([
        storage.append({ ...append, events: [badEvent] }),
        storage.append({ ...append, documents: [badDocument] }),
        storage.append({ ...append, listing: { ...ACTIVE, status: bad } }),
        storage.create(sessionOf(bad), [], []),
        storage.create(sessionOf(newId(), bad), [], []),
        storage.fetch(bad, 0),
        storage.events(bad, 1, 2),
        storage.document(bad, 'a'.repeat(64)),
        storage.delete(bad),
        storage.countWindow(60_000, [{ bucket: bad, n: 1 }]),
        ...neighbours.map((neighbour) => storage.append(appendOf(neighbour.sessionId, neighbour.head))),
      ]);
      const statuses = outcomes.map(({ status }) => status);
      expect(statuses).toEqual([...Array<string>(10).fill('rejected'), ...Array<string>(4).fill('fulfilled')]);
      expect(await storage.fetch(sessionId, 0)).toMatchObject({ head });
    });

    test('with U+001E is refused in an event body', async () => {
      const { storage } = opened();
      const { sessionId, head } = await startSession(storage);
      const events = [{ ...eventAfter(head), body: 'a\u001eb' }];
      await expect(storage.append({ ...appendOf(sessionId, head), events })).rejects.toThrow(TypeError);
    });
  });
}

const NOTHING = { sessions: 0, events: 0, bytes: 0 };

const bytesOf = (...texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

export function usageCases(opened: Opened): void {
  describe('the use of an owner', () => {
    test('counts sessions, events and the bytes of events and documents, of this owner alone', async () => {
      const { storage } = opened();
      const [owner, one, two] = [newId(), newId(), newId()];
      expect(await storage.usage(owner)).toEqual(NOTHING);
      const [first, second, third] = eventsAfter(GENESIS, ['a', 'é€', '😀'.repeat(3_000)]);
      if (!first || !second || !third) return expect.unreachable();
      await storage.create(sessionOf(one, owner), [first, second], [documentOf('1234')]);
      await storage.create(sessionOf(two, owner), [first], []);
      await storage.create(sessionOf(newId(), newId()), [first], [documentOf('other')]);
      const before = bytesOf(first.body, second.body, '1234', first.body);
      expect(await storage.usage(owner)).toEqual({ sessions: 2, events: 3, bytes: before });
      const documents = [documentOf('1234'), documentOf('ü')];
      await storage.append({ sessionId: one, expected: headOf(second), events: [third], documents, listing: ACTIVE });
      expect(await storage.usage(owner)).toEqual({ sessions: 2, events: 4, bytes: before + bytesOf(third.body, 'ü') });
      await storage.delete(one);
      expect(await storage.usage(owner)).toEqual({ sessions: 1, events: 1, bytes: bytesOf(first.body) });
      await storage.delete(two);
      expect(await storage.usage(owner)).toEqual(NOTHING);
    });
  });
}
