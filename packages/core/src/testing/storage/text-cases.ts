import { describe, expect, test } from 'vitest';
import type { Opened } from './opened-storage.ts';
import { appendOf, documentOf, eventAfter, newId, sessionOf, startSession } from './samples.ts';

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
        storage.append({ ...append, listing: { status: bad, phase: 'PLANNING' } }),
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
