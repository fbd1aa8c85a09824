import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Head } from '../../kernel/log/event.ts';
import type { Snapshot, Storage } from '../../kernel/storage/storage.ts';
import { growSession, newId, type Opened, startSession } from './samples.ts';

/** Length of a rate window in milliseconds, longer than any test, so that a test does not cross the end of a window. */
const LONG_MS = 2_000_000_000;
/**
 * Time limit for the arrival of a hint, in milliseconds. It is long, because opening the connection for hints takes time on a busy
 * machine.
 */
const HEARING = { timeout: 10_000 };

export function sharedCases(opened: Opened): void {
  describe('countWindow', () => {
    test('adds to each bucket and returns the totals in the order of the counts', async () => {
      const { storage } = opened();
      const [a, b] = [randomUUID(), randomUUID()];
      expect(
        await storage.countWindow(LONG_MS, [
          { bucket: a, n: 2 },
          { bucket: b, n: 1 },
        ]),
      ).toEqual([
        { bucket: a, n: 2 },
        { bucket: b, n: 1 },
      ]);
      const again = [
        { bucket: b, n: 1 },
        { bucket: a, n: 5 },
        { bucket: b, n: 1 },
      ];
      expect(await storage.countWindow(LONG_MS, again)).toEqual([
        { bucket: b, n: 2 },
        { bucket: a, n: 7 },
        { bucket: b, n: 3 },
      ]);
      expect(await storage.countWindow(LONG_MS, [])).toEqual([]);
    });

    test('counts windows of different lengths separately', async () => {
      const { storage } = opened();
      const bucket = randomUUID();
      await storage.countWindow(LONG_MS, [{ bucket, n: 3 }]);
      expect(await storage.countWindow(LONG_MS - 1, [{ bucket, n: 1 }])).toEqual([{ bucket, n: 1 }]);
    });

    test('starts at 0 in the next window', async () => {
      const { storage } = opened();
      const bucket = randomUUID();
      await storage.countWindow(100, [{ bucket, n: 5 }]);
      await vi.waitFor(async () =>
        expect(await storage.countWindow(100, [{ bucket, n: 1 }])).toEqual([{ bucket, n: 1 }]),
      );
    });

    test('counts every call once, even if many processes call at the same time', async () => {
      const { storage, sibling } = opened();
      const second = await sibling?.();
      const bucket = randomUUID();
      const calls = Array.from({ length: 200 }, (_, index) =>
        (index % 2 && second ? second : storage).countWindow(LONG_MS, [{ bucket, n: 1 }]),
      );
      const totals = (await Promise.all(calls)).map(([count]) => count?.n ?? 0);
      expect(totals.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      await second?.close();
    });
  });

  describe('hints', () => {
    test('reach the other handles, but not the sending handle', async ({ skip }) => {
      const { storage, sibling } = opened();
      const other = await sibling?.();
      if (other === undefined) return skip();
      const [heard, own]: [string[], string[]] = [[], []];
      const stops = [storage.onHint((ids) => heard.push(...ids)), other.onHint((ids) => own.push(...ids))];
      await vi.waitFor(() => {
        other.hint(['s1', 's2']);
        expect(heard).toEqual(expect.arrayContaining(['s1', 's2']));
      }, HEARING);
      expect(own).toEqual([]);
      for (const stop of stops) stop();
      await other.close();
    });

    test('do not reach a listener that was removed', async ({ skip }) => {
      const { storage, sibling } = opened();
      const other = await sibling?.();
      if (other === undefined) return skip();
      const [stopped, listening]: [string[], string[]] = [[], []];
      storage.onHint((ids) => stopped.push(...ids))();
      const stop = storage.onHint((ids) => listening.push(...ids));
      await vi.waitFor(() => {
        other.hint(['s3']);
        expect(listening).toContain('s3');
      }, HEARING);
      expect(stopped).toEqual([]);
      stop();
      await other.close();
    });
  });

  describe('secret', () => {
    test('is created once and is the same for every handle', async () => {
      const { storage, sibling } = opened();
      const second = await sibling?.();
      const secrets = await Promise.all([storage.secret(), (second ?? storage).secret(), storage.secret()]);
      expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set(secrets).size).toBe(1);
      await second?.close();
    });
  });
}

/** Returns the storage's functions that save and load snapshots. Null if one of the two functions is missing. */
function snapshotsOf({
  saveSnapshot,
  loadSnapshot,
}: Storage): Required<Pick<Storage, 'saveSnapshot' | 'loadSnapshot'>> | null {
  return saveSnapshot && loadSnapshot ? { saveSnapshot, loadSnapshot } : null;
}

const snapshotOf = (sessionId: string, head: Head, foldVersion = 3): Snapshot => ({
  sessionId,
  ...head,
  foldVersion,
  body: `state at ${head.seq}`,
});

const HUGE = `{"quotes":"\\" ' \\\\","more":["🦜 é 漢 \u2028 \u001e $1 %s",null]} ${'[4,12,[0]],'.repeat(40_000)}`;

export function snapshotCases(opened: Opened): void {
  describe('snapshots', () => {
    test('are loaded as they were saved, by their fold version', async ({ skip }) => {
      const { storage, sibling } = opened();
      const snapshots = snapshotsOf(storage) ?? skip();
      const { sessionId, head } = await startSession(storage);
      expect(await snapshots.loadSnapshot(sessionId, 3)).toBeNull();
      expect(await snapshots.saveSnapshot({ sessionId, ...head, foldVersion: 3, body: HUGE })).toBe(true);
      expect(await snapshots.loadSnapshot(sessionId, 3)).toEqual({ ...head, foldVersion: 3, body: HUGE });
      expect(await snapshots.loadSnapshot(sessionId, 2)).toBeNull();
      expect(await snapshots.loadSnapshot(newId(), 3)).toBeNull();
      const other = await sibling?.();
      if (other) expect(await other.loadSnapshot?.(sessionId, 3)).toMatchObject(head);
      await other?.close();
    });

    test('of a later event are kept, those of an earlier event are replaced', async ({ skip }) => {
      const { storage } = opened();
      const snapshots = snapshotsOf(storage) ?? skip();
      const { sessionId, head: first } = await startSession(storage);
      const second = await growSession(storage, sessionId, first, 5);
      const third = await growSession(storage, sessionId, second, 9);
      expect(await snapshots.saveSnapshot(snapshotOf(sessionId, second))).toBe(true);
      expect(await snapshots.saveSnapshot(snapshotOf(sessionId, first))).toBe(false);
      expect(await snapshots.saveSnapshot({ ...snapshotOf(sessionId, second), body: 'again' })).toBe(false);
      expect(await snapshots.loadSnapshot(sessionId, 3)).toMatchObject({ seq: 5, body: 'state at 5' });
      expect(await snapshots.saveSnapshot(snapshotOf(sessionId, third))).toBe(true);
      expect(await snapshots.loadSnapshot(sessionId, 3)).toMatchObject({ ...third, body: 'state at 9' });
    });

    test('of two fold versions are kept, those of older versions are deleted', async ({ skip }) => {
      const { storage } = opened();
      const snapshots = snapshotsOf(storage) ?? skip();
      const { sessionId, head } = await startSession(storage);
      for (const version of [1, 2, 3]) await snapshots.saveSnapshot(snapshotOf(sessionId, head, version));
      await snapshots.saveSnapshot(snapshotOf(sessionId, await growSession(storage, sessionId, head, 2)));
      expect(await snapshots.loadSnapshot(sessionId, 1)).toBeNull();
      expect(await snapshots.loadSnapshot(sessionId, 2)).toMatchObject({ seq: 1, foldVersion: 2 });
      expect(await snapshots.loadSnapshot(sessionId, 3)).toMatchObject({ seq: 2, foldVersion: 3 });
    });

    test('of an event that the log does not contain are not stored', async ({ skip }) => {
      const { storage } = opened();
      const snapshots = snapshotsOf(storage) ?? skip();
      const { sessionId, head } = await startSession(storage);
      const strangers = [
        snapshotOf(newId(), head),
        snapshotOf(sessionId, { seq: 2, hash: head.hash }),
        snapshotOf(sessionId, { seq: 1, hash: 'f'.repeat(64) }),
        snapshotOf(sessionId, { seq: 0, hash: '0'.repeat(64) }),
      ];
      for (const stranger of strangers) expect(await snapshots.saveSnapshot(stranger)).toBe(false);
      expect(await snapshots.loadSnapshot(sessionId, 3)).toBeNull();
    });

    test('that some storage cannot store are refused', async ({ skip }) => {
      const { storage } = opened();
      const snapshots = snapshotsOf(storage) ?? skip();
      const { sessionId, head } = await startSession(storage);
      const good = snapshotOf(sessionId, head);
      const bad = [{ body: 'a\u0000b' }, { body: 'a\ud83eb' }, { sessionId: 'a\u0000' }, { foldVersion: 0 }];
      for (const each of bad) await expect(snapshots.saveSnapshot({ ...good, ...each })).rejects.toThrow(TypeError);
      await expect(snapshots.loadSnapshot('a\u0000', 3)).rejects.toThrow(TypeError);
    });

    test('that are saved at the same time leave the latest', async ({ skip }) => {
      const { storage, sibling } = opened();
      const first = snapshotsOf(storage) ?? skip();
      const other = await sibling?.();
      const second = snapshotsOf(other ?? storage) ?? skip();
      const { sessionId, head } = await startSession(storage);
      const heads = [head];
      for (let length = 2; length <= 12; length += 1) {
        heads.push(await growSession(storage, sessionId, heads.at(-1) ?? head, length));
      }
      const saves = heads.map((each, index) => (index % 2 ? first : second).saveSnapshot(snapshotOf(sessionId, each)));
      await Promise.all(saves);
      expect(await first.loadSnapshot(sessionId, 3)).toMatchObject({ seq: 12, body: 'state at 12' });
      await other?.close();
    });

    test('are deleted with their session and not stored after that', async ({ skip }) => {
      const { storage, sibling } = opened();
      const first = snapshotsOf(storage) ?? skip();
      const other = await sibling?.();
      const second = snapshotsOf(other ?? storage) ?? skip();
      const sessions = await Promise.all(Array.from({ length: 30 }, () => startSession(storage)));
      await Promise.all(
        sessions.flatMap(({ sessionId, head }, index) => [
          first.saveSnapshot(snapshotOf(sessionId, head)),
          index % 2 ? storage.delete(sessionId) : other?.delete(sessionId),
          second.saveSnapshot(snapshotOf(sessionId, head, 4)),
          first.saveSnapshot(snapshotOf(sessionId, head, 2)),
        ]),
      );
      await Promise.all(sessions.map(({ sessionId }) => storage.delete(sessionId)));
      for (const { sessionId } of sessions) {
        for (const version of [2, 3, 4]) expect(await first.loadSnapshot(sessionId, version)).toBeNull();
      }
      await other?.close();
    });
  });
}
