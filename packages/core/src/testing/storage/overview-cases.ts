import { describe, expect, test } from 'vitest';
import type { Head } from '../../kernel/log/event.ts';
import type { InboxEntry, InboxPlace, Storage, StoredCall } from '../../kernel/storage/storage.ts';
import { appendOf, eventAfter, headOf, newId, type Opened, sessionOf, startSession } from './samples.ts';

const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };
const CREATED_AT = '2026-01-02T03:04:05.678Z';
/**
 * A time that is in the future for every clock. If the place of a session has rank 4 (nothing waits in the session) and
 * a time in the future, and an append gives it a later time, the storage may keep the earlier time.
 */
const LATE = '2999-01-01T00:00:00.000Z';

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;

async function startAt(storage: Storage, ownerId: string, place?: InboxPlace | null, sessionId = newId()) {
  const first = eventAfter(GENESIS, 'first');
  const session = sessionOf(sessionId, ownerId);
  await storage.create(place === undefined ? session : { ...session, place }, [first], []);
  return { sessionId, head: headOf(first) };
}

const placesOf = (entries: readonly InboxEntry[]) => entries.map(({ sessionId, place }) => [sessionId, place]);

export function inboxCases(opened: Opened): void {
  describe('the inbox', () => {
    test('lists the sessions of its owner by rank, time and id, page by page', async ({ skip }) => {
      const { storage, sibling } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const places: readonly (InboxPlace | null)[] = [
        { rank: 4, at: at(5), tasks: 0 },
        { rank: 1, at: at(2), tasks: 3 },
        { rank: 3, at: at(1), tasks: 1 },
        { rank: 2, at: at(1), tasks: 2 },
        { rank: 1, at: at(1), tasks: 1 },
        { rank: 4, at: at(6), tasks: 0 },
        null,
      ];
      const ids: string[] = [];
      for (const place of places) ids.push((await startAt(storage, owner, place)).sessionId);
      await startAt(storage, newId(), { rank: 1, at: at(1), tasks: 9 });
      const inOrder = [4, 1, 3, 2, 0].map((index) => [ids[index], places[index]]);
      const all = await inbox.page(owner, { limit: 200, dueAt: at(5) });
      expect(placesOf(all)).toEqual(inOrder);
      const first = eventAfter(GENESIS, 'first');
      const listed = { title: 'Title', status: 'DRAFT', phase: 'PLANNING', createdAt: CREATED_AT };
      expect(all[0]).toEqual({ sessionId: ids[4], ...listed, ...headOf(first), place: places[4] });
      const pages: unknown[] = [];
      for (let after: { rank: InboxPlace['rank']; at: string; sessionId: string } | undefined; ; ) {
        const page = await inbox.page(owner, { limit: 2, dueAt: at(5), ...(after && { after }) });
        pages.push(...placesOf(page));
        const last = page.at(-1);
        if (!last?.place) break;
        after = { rank: last.place.rank, at: last.place.at, sessionId: last.sessionId };
      }
      expect(pages).toEqual(inOrder);
      const counts = [...(await inbox.count(owner, at(5)))].sort((one, other) => one.rank - other.rank);
      expect(counts).toEqual([
        { rank: 1, sessions: 2, tasks: 4 },
        { rank: 2, sessions: 1, tasks: 2 },
        { rank: 3, sessions: 1, tasks: 1 },
        { rank: 4, sessions: 1, tasks: 0 },
      ]);
      const other = await sibling?.();
      if (other) expect(placesOf((await other.inbox?.page(owner, { limit: 200, dueAt: at(6) })) ?? [])).toHaveLength(6);
      await other?.close();
    });

    test('orders sessions with equal places by id, without a gap or a repetition', async ({ skip }) => {
      const { storage } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const place = { rank: 1, at: at(1), tasks: 1 } as const;
      const ids = [`${owner}c`, `${owner}a`, `${owner}b`];
      for (const id of ids) await startAt(storage, owner, place, id);
      const [first] = await inbox.page(owner, { limit: 1, dueAt: at(1) });
      expect(first?.sessionId).toBe(`${owner}a`);
      const after = { rank: 1, at: at(1), sessionId: `${owner}a` } as const;
      expect((await inbox.page(owner, { limit: 9, dueAt: at(1), after })).map(({ sessionId }) => sessionId)).toEqual([
        `${owner}b`,
        `${owner}c`,
      ]);
    });

    test('changes with each append; after an append without a place, the place is not known', async ({ skip }) => {
      const { storage } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const { sessionId, head } = await startAt(storage, owner, null);
      const page = () => inbox.page(owner, { limit: 9, dueAt: LATE });
      expect(await page()).toEqual([]);
      const second = { ...appendOf(sessionId, head), place: { rank: 2, at: at(3), tasks: 4 } as const };
      expect(await storage.append(second)).toBe('appended');
      const asked = { rank: 2, at: at(3), tasks: 4 };
      expect(placesOf(await page())).toEqual([[sessionId, asked]]);
      const lost = { ...appendOf(sessionId, head, 'another'), place: null };
      expect(await storage.append(lost)).toBe('refused');
      expect(placesOf(await page())).toEqual([[sessionId, asked]]);
      const two = headOf(second.events[0] ?? head);
      const third = appendOf(sessionId, two);
      expect(await storage.append(third)).toBe('appended');
      expect(await page()).toEqual([]);
      expect(await inbox.count(owner, LATE)).toMatchObject([{ rank: 0, sessions: 1 }]);
      expect(placesOf(await inbox.unplaced(owner, 9))).toEqual([[sessionId, null]]);
      const three = headOf(third.events[0] ?? two);
      const ended = { ...appendOf(sessionId, three), place: null };
      expect(await storage.append(ended)).toBe('appended');
      expect(await inbox.count(owner, LATE)).toEqual([]);
      expect(await inbox.unplaced(owner, 9)).toEqual([]);
    });

    test('contains a session of rank 4 from its time on, or earlier', async ({ skip }) => {
      const { storage } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const quiet = (time: string) => ({ rank: 4, at: time, tasks: 0 }) as const;
      const { sessionId, head } = await startAt(storage, owner, quiet(LATE));
      const due = async (dueAt: string) => (await inbox.page(owner, { limit: 9, dueAt })).length;
      expect(await due(at(9))).toBe(0);
      const earlier = { ...appendOf(sessionId, head), place: quiet(at(4)) };
      expect(await storage.append(earlier)).toBe('appended');
      expect(await Promise.all([due(at(3)), due(at(4))])).toEqual([0, 1]);
      const two = headOf(earlier.events[0] ?? head);
      const later = { ...appendOf(sessionId, two), place: quiet('2999-01-02T00:00:00.000Z') };
      expect(await storage.append(later)).toBe('appended');
      expect(await due(at(9))).toBe(0);
      const three = headOf(later.events[0] ?? two);
      const latest = { ...appendOf(sessionId, three), place: quiet('2999-01-03T00:00:00.000Z') };
      expect(await storage.append(latest)).toBe('appended');
      expect(await due('2999-01-03T00:00:00.000Z')).toBe(1);
    });

    test('stores a note about the present head and ignores a note about another head', async ({ skip }) => {
      const { storage } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const [one, two, three] = [
        await startAt(storage, owner),
        await startAt(storage, owner),
        await startAt(storage, owner, { rank: 4, at: at(1), tasks: 0 }),
      ];
      expect((await inbox.unplaced(owner, 9)).map(({ sessionId }) => sessionId).sort()).toEqual(
        [one.sessionId, two.sessionId].sort(),
      );
      expect(await inbox.unplaced(owner, 1)).toHaveLength(1);
      const place = { rank: 1, at: at(2), tasks: 2 } as const;
      await inbox.note([]);
      await inbox.note([
        { ...one, place },
        { sessionId: two.sessionId, head: { ...two.head, hash: 'f'.repeat(64) }, place },
        { ...three, place: { rank: 4, at: at(3), tasks: 0 } },
        { ...two, sessionId: newId(), place },
      ]);
      expect(placesOf(await inbox.page(owner, { limit: 9, dueAt: at(3) }))).toEqual([
        [one.sessionId, place],
        [three.sessionId, { rank: 4, at: at(3), tasks: 0 }],
      ]);
      expect(placesOf(await inbox.unplaced(owner, 9))).toEqual([[two.sessionId, null]]);
      await inbox.note([{ ...two, place: null }]);
      expect(await inbox.unplaced(owner, 9)).toEqual([]);
      await expect(inbox.note([{ ...one, sessionId: 'a\u0000', place }])).rejects.toThrow(TypeError);
    });

    test('contains a session whose log is broken, with the time of its creation', async ({ skip }) => {
      const { storage } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const [ended, asked] = [
        await startAt(storage, owner, null),
        await startAt(storage, owner, { rank: 1, at: at(1), tasks: 5 }),
      ];
      for (const { sessionId } of [ended, asked]) await inbox.noteBroken(sessionId);
      await inbox.noteBroken(newId());
      expect(placesOf(await inbox.page(owner, { limit: 9, dueAt: at(1) }))).toEqual([
        [asked.sessionId, { rank: 1, at: at(1), tasks: 5 }],
        [ended.sessionId, { rank: 1, at: CREATED_AT, tasks: 1 }],
      ]);
    });

    test('does not contain a deleted session', async ({ skip }) => {
      const { storage } = opened();
      const inbox = storage.inbox ?? skip();
      const owner = newId();
      const { sessionId } = await startAt(storage, owner, { rank: 1, at: at(1), tasks: 1 });
      await storage.delete(sessionId);
      expect(await inbox.count(owner, LATE)).toEqual([]);
    });
  });
}

/** Returns the storage's functions that save and load agents' latest calls. Null if one of the two is missing. */
function callsOf({ saveCalls, loadCalls }: Storage): Required<Pick<Storage, 'saveCalls' | 'loadCalls'>> | null {
  return saveCalls && loadCalls ? { saveCalls, loadCalls } : null;
}

const byRole = (calls: readonly StoredCall[]): StoredCall[] =>
  calls.toSorted((one, other) => (one.sessionId + one.role < other.sessionId + other.role ? -1 : 1));

export function presenceCases(opened: Opened): void {
  describe('last calls', () => {
    test('are loaded as they were saved, for the requested sessions only', async ({ skip }) => {
      const { storage, sibling } = opened();
      const own = callsOf(storage) ?? skip();
      const [one, two] = [await startSession(storage), await startSession(storage)];
      const calls: StoredCall[] = [
        { sessionId: one.sessionId, role: 'agent_a', atMs: 1_767_603_600_123, isWaiting: false },
        { sessionId: one.sessionId, role: 'moderator', atMs: 1_767_603_600_124, isWaiting: true },
        { sessionId: two.sessionId, role: 'agent_b', atMs: 1_767_603_600_125, isWaiting: false },
      ];
      expect(await own.loadCalls([one.sessionId, two.sessionId])).toEqual([]);
      await own.saveCalls(calls);
      expect(byRole(await own.loadCalls([one.sessionId, two.sessionId]))).toEqual(byRole(calls));
      expect(await own.loadCalls([two.sessionId, newId()])).toEqual(calls.slice(2));
      const other = await sibling?.();
      if (other) expect(await other.loadCalls?.([two.sessionId])).toEqual(calls.slice(2));
      await other?.close();
    });

    test('of two processes are merged: the newest call of each role is kept', async ({ skip }) => {
      const { storage, sibling } = opened();
      const own = callsOf(storage) ?? skip();
      const other = await sibling?.();
      const second = callsOf(other ?? storage) ?? skip();
      const { sessionId } = await startSession(storage);
      await own.saveCalls([
        { sessionId, role: 'agent_a', atMs: 2_000, isWaiting: true },
        { sessionId, role: 'agent_b', atMs: 1_000, isWaiting: false },
      ]);
      await second.saveCalls([
        { sessionId, role: 'agent_a', atMs: 1_500, isWaiting: false },
        { sessionId, role: 'agent_b', atMs: 3_000, isWaiting: true },
      ]);
      expect(byRole(await own.loadCalls([sessionId]))).toEqual([
        { sessionId, role: 'agent_a', atMs: 2_000, isWaiting: true },
        { sessionId, role: 'agent_b', atMs: 3_000, isWaiting: true },
      ]);
      const both = Array.from({ length: 20 }, (_, index) => (index % 2 ? own : second));
      await Promise.all(
        both.map((each, index) =>
          each.saveCalls([
            { sessionId, role: 'agent_b', atMs: 4_000 + index, isWaiting: false },
            { sessionId, role: 'agent_a', atMs: 4_000 + index, isWaiting: false },
          ]),
        ),
      );
      expect(byRole(await own.loadCalls([sessionId]))).toMatchObject([{ atMs: 4_019 }, { atMs: 4_019 }]);
      await other?.close();
    });

    test('are deleted with their session and not stored after that', async ({ skip }) => {
      const { storage } = opened();
      const own = callsOf(storage) ?? skip();
      const sessions = await Promise.all(Array.from({ length: 12 }, () => startSession(storage)));
      const ids = sessions.map(({ sessionId }) => sessionId);
      const calls = ids.map((sessionId): StoredCall => ({ sessionId, role: 'agent_a', atMs: 5_000, isWaiting: true }));
      await own.saveCalls([...calls, { sessionId: newId(), role: 'agent_a', atMs: 5_000, isWaiting: true }]);
      const later = calls.map((call) => ({ ...call, atMs: 6_000 }));
      await Promise.all([...ids.map((id) => storage.delete(id)), own.saveCalls(later), own.saveCalls(later)]);
      expect(await own.loadCalls(ids)).toEqual([]);
    });

    test('can be saved and loaded with an empty list; an invalid session id is rejected', async ({ skip }) => {
      const own = callsOf(opened().storage) ?? skip();
      await own.saveCalls([]);
      expect(await own.loadCalls([])).toEqual([]);
      await expect(own.loadCalls(['a\u0000'])).rejects.toThrow(TypeError);
    });
  });
}
