import { describe, expect, test } from 'vitest';
import type { Storage, StoredCall } from '../../kernel/storage/storage.ts';
import type { Opened } from './opened-storage.ts';
import { newId, startSession } from './samples.ts';

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
