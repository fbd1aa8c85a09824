import { describe, expect, test } from 'vitest';
import { GENESIS } from '../../kernel/log/event.ts';
import type { Opened } from './opened-storage.ts';
import { documentOf, eventsAfter, headOf, newId, sessionOf } from './samples.ts';

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
      const listing = { status: 'ACTIVE', phase: 'PLANNING' };
      await storage.append({ sessionId: one, expected: headOf(second), events: [third], documents, listing });
      expect(await storage.usage(owner)).toEqual({ sessions: 2, events: 4, bytes: before + bytesOf(third.body, 'ü') });
      await storage.delete(one);
      expect(await storage.usage(owner)).toEqual({ sessions: 1, events: 1, bytes: bytesOf(first.body) });
      await storage.delete(two);
      expect(await storage.usage(owner)).toEqual(NOTHING);
    });
  });
}
