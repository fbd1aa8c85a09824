import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SESSION_TABLES } from '../../src/database/tables.ts';
import { createPostgresStorage } from '../../src/index.ts';
import { databaseUrl, newDatabase, query } from '../new-database.ts';
import { appendOf, GENESIS, startSessions } from '../samples.ts';

describe.skipIf(databaseUrl === null)('for a sharded database', () => {
  test.each([
    ['isSharded', { isSharded: true }],
    ['isSharded, whatever the size of a group', { isSharded: true, maxBatchSize: 64 }],
  ])('every statement on a session names it by a parameter of its own: %s', async (_, options) => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const storage = await createPostgresStorage({ connectionString: url, ...options });
    onTestFinished(() => storage.close());
    const sent = vi.spyOn(Client.prototype, 'query');
    onTestFinished(() => sent.mockRestore());

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

    const texts = sent.mock.calls.flatMap(([asked]) => textOf(asked)).filter((text) => text.includes('parley_'));
    expect(texts.filter((text) => !/session_id = \$1\b|values \(\$1,/.test(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(15);
    expect(texts.join('\n')).not.toContain('unnest');
  });

  test.each([{}, { isSharded: false }])(
    'a database without Citus uses one statement for a group with one member: %j',
    async (options) => {
      const { url, drop } = await newDatabase();
      onTestFinished(drop);
      const storage = await createPostgresStorage({ connectionString: url, maxBatchSize: 1, ...options });
      onTestFinished(() => storage.close());
      const sent = vi.spyOn(Client.prototype, 'query');
      onTestFinished(() => sent.mockRestore());
      const [sessionId = ''] = await startSessions(storage, 1);
      expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
      const texts = sent.mock.calls.flatMap(([asked]) => textOf(asked)).filter((text) => text.includes('parley_'));
      expect(texts).toHaveLength(2);
    },
  );
});

test.skipIf(databaseUrl === null)('Citus distributes every table that has a session id', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  await (await createPostgresStorage({ connectionString: url })).close();
  const rows = await query(
    url,
    `select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'session_id' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(SESSION_TABLES.map((name) => `parley_${name}`).toSorted());
});

test.skipIf(databaseUrl === null).each([
  ['postmaster was shut down, exiting', 'OutcomeUnknown'],
  ['an error inside PostgreSQL', 'StatementRefused'],
])('an append that ends with the internal error "%s" is reported as %s', async (message, name) => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const storage = await createPostgresStorage({ connectionString: url, isSharded: true });
  onTestFinished(() => storage.close());
  const [sessionId = ''] = await startSessions(storage, 1);
  await query(
    url,
    `create function fail() returns trigger language plpgsql as
       $$ begin raise exception '${message}' using errcode = 'XX000'; end $$;
     create trigger fail before insert on parley_event for each row execute function fail()`,
  );
  await expect(storage.append(appendOf(sessionId, GENESIS))).rejects.toMatchObject({ name });
  await query(url, 'drop trigger fail on parley_event');
  expect(await storage.append(appendOf(sessionId, GENESIS))).toBe('appended');
});

test.skipIf(databaseUrl === null)(
  'a fetch while its session is being deleted fails with an error that asks for a repetition',
  async () => {
    const { url, drop } = await newDatabase();
    onTestFinished(drop);
    const storage = await createPostgresStorage({ connectionString: url, isSharded: true });
    onTestFinished(() => storage.close());
    const [sessionId = ''] = await startSessions(storage, 1);
    const append = appendOf(sessionId, GENESIS);
    await storage.append(append);
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table parley_event in access exclusive mode');
    const fetching = storage.fetch(sessionId, 0);
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%parley_event%'";
    await expect.poll(() => query(url, waiting)).toHaveLength(1);
    await other.query('delete from parley_event; delete from parley_session; commit');
    await other.end();
    const { seq, hash } = append.events[0] ?? GENESIS;
    expect(await fetching).toEqual({ head: { seq, hash }, events: [], more: true });
    expect(await storage.fetch(sessionId, 0)).toBe(null);
  },
);

/** Returns the SQL text of a query that was sent as a string or as an object. */
function textOf(asked: unknown): string[] {
  if (typeof asked === 'string') return [asked];
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : undefined;
  return typeof text === 'string' ? [text] : [];
}
