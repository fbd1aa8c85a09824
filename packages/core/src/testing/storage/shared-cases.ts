import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Opened } from './opened-storage.ts';

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
