import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { GENESIS, type Head, recordEvent, type StoredEvent } from '../../kernel/log/event.ts';
import type { OwnerEvent, OwnerEventPosition } from '../../kernel/storage/owner-events.ts';
import type { Storage } from '../../kernel/storage/storage.ts';
import type { Opened } from './opened-storage.ts';
import { headOf, newId, sessionOf } from './samples.ts';

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
      const listing = { status: 'ACTIVE', phase: 'PLANNING' };
      await storage.append({ sessionId, expected, events, documents: [], listing });
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
