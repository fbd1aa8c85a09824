import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPostgresStorage } from '../src/index.ts';
import { databaseUrl, newDatabase } from './new-database.ts';
import { appendOf, GENESIS, startSessions } from './samples.ts';

describe.skipIf(databaseUrl === null)('for a sharded database', () => {
  test.each([
    ['isSharded', { isSharded: true }],
    ['isSharded, whatever the size of a group', { isSharded: true, groupMax: 64 }],
    ['groupMax 1, which meant it before', { groupMax: 1 }],
  ])('every statement on a session names it by a parameter of its own: %s', async (_, options) => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const storage = await createPostgresStorage({ connectionString: url, ...options });
    onTestFinished(() => storage.close());
    const query = vi.spyOn(Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());

    const [sessionId = '', other = ''] = await startSessions(storage, 2);
    const append = appendOf(sessionId, GENESIS, 'one');
    const { seq, hash } = append.events[0] ?? GENESIS;
    expect(await Promise.all([storage.append(append), storage.append(appendOf(other, GENESIS))])).toEqual([
      'appended',
      'appended',
    ]);
    expect((await storage.fetch(sessionId, 0))?.head).toEqual({ seq, hash });
    await storage.events(sessionId, 1, 2);
    await storage.document(sessionId, 'a'.repeat(64));
    await storage.saveSnapshot?.({ sessionId, foldVersion: 2, seq, hash, body: '{}' });
    await storage.loadSnapshot?.(sessionId, 2);
    await storage.delete(sessionId);

    const texts = query.mock.calls.flatMap(([asked]) => textOf(asked)).filter((text) => text.includes('parley_'));
    expect(texts.filter((text) => !/session_id = \$1\b|values \(\$1,/.test(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(15);
    expect(texts.join('\n')).not.toContain('unnest');
  });

  test('isSharded: false keeps one statement for a group of one', async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const storage = await createPostgresStorage({ connectionString: url, groupMax: 1, isSharded: false });
    onTestFinished(() => storage.close());
    const query = vi.spyOn(Client.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    const [sessionId = ''] = await startSessions(storage, 1);
    expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
    const texts = query.mock.calls.flatMap(([asked]) => textOf(asked)).filter((text) => text.includes('parley_'));
    expect(texts).toHaveLength(2);
  });
});

/** The SQL text of a query that was sent as a string or as an object. */
function textOf(asked: unknown): string[] {
  if (typeof asked === 'string') return [asked];
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : undefined;
  return typeof text === 'string' ? [text] : [];
}
