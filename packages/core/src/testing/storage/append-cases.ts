import { describe, expect, test } from 'vitest';
import type { Opened } from './opened-storage.ts';
import { appendOf, documentOf, eventAfter, eventsAfter, headOf, newId, sessionOf, startSession } from './samples.ts';

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
      const listing = { status: 'ACTIVE', phase: 'BUILDING' };
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
