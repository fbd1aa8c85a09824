import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../kernel/storage/storage.ts';
import type { Opened } from './opened-storage.ts';
import { appendOf, documentOf, newId, startSession } from './samples.ts';

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
