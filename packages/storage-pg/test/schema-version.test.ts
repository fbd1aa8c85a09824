import { StorageUnavailable } from '@parley/core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresStorage, readPostgresSchema } from '../src/index.ts';
import { databaseUrl, newDatabase, query } from './new-database.ts';
import { appendOf, eventAfter, GENESIS, newId, sessionOf } from './samples.ts';

/** SQL that removes what the migrations 0004 and 0005 add. */
const INBOX_REMOVED =
  'drop index parley_event_of_owner; alter table parley_session drop inbox_key, drop noted_seq, drop noted_key, drop inbox_tasks';

describe.skipIf(databaseUrl === null)('the schema', () => {
  let url = '';

  beforeEach(async () => {
    const database = await newDatabase();
    url = database.url;
    return database.drop;
  });

  async function open(options: { schema?: string; migrates?: boolean } = {}) {
    const storage = await createPostgresStorage({ connectionString: url, ...options });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('is created once by programs that start together', async () => {
    const storages = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(storages.map((storage) => storage.health()));
    expect(await query(url, "select value from parley_meta where key = 'schema_version'")).toEqual([{ value: '5' }]);
    expect(await query(url, 'select name from parley_migration')).toEqual([
      { name: '0001-first-tables' },
      { name: '0002-snapshots' },
      { name: '0003-presence' },
      { name: '0004-inbox' },
      { name: '0005-owner-events' },
    ]);
  });

  test('newer than the program stops the start', async () => {
    await open();
    await query(url, "update parley_meta set value = '99' where key = 'schema_version'");
    await expect(open()).rejects.toThrow(
      'The tables have schema 99, but this program supports only schemas up to 5. Start a newer version of Parley.',
    );
  });

  test('older than the program stops the start of a program that may not migrate', async () => {
    await expect(open({ migrates: false })).rejects.toThrow('have schema 0, but this program needs schema 5');
    await open();
    await expect(open({ migrates: false })).resolves.toBeDefined();
  });

  test('of a release without snapshots is migrated, with its sessions', async () => {
    const before = await open();
    const sessionId = newId();
    await before.create(sessionOf(sessionId), [eventAfter(GENESIS)], []);
    await before.close();
    await query(url, 'drop table parley_snapshot, parley_presence');
    await query(url, INBOX_REMOVED);
    const role = `r_${sessionId}`;
    await query(url, `create role ${role}; grant select, insert, update, delete on parley_session to ${role}`);
    await query(url, "delete from parley_migration where name >= '0002'");
    await query(url, "update parley_meta set value = '1' where key = 'schema_version'");
    await expect(open({ migrates: false })).rejects.toThrow(
      'have schema 1, but this program needs schema 5. Run parley migrate up first.',
    );
    const storage = await open();
    expect(await readPostgresSchema({ connectionString: url })).toMatchObject({ version: 5 });
    expect(await storage.append(appendOf(sessionId, eventAfter(GENESIS)))).toBe('appended');
    const { seq, hash } = eventAfter(GENESIS);
    expect(await storage.saveSnapshot?.({ sessionId, seq, hash, foldVersion: 1, body: 'state' })).toBe(true);
    await storage.saveCalls?.([{ sessionId, role: 'agent_a', atMs: 1_000, isWaiting: true }]);
    expect(await storage.loadCalls?.([sessionId])).toHaveLength(1);
    expect(await storage.delete(sessionId)).toBe(true);
    for (const table of ['parley_snapshot', 'parley_presence']) {
      const granted = `select privilege_type as may from information_schema.role_table_grants
        where grantee = '${role}' and table_name = '${table}' order by 1`;
      expect((await query(url, granted)).map(({ may }) => may)).toEqual(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
    }
    await query(url, `drop owned by ${role}; drop role ${role}`);
  });

  test('of a release without the inbox is migrated, and its places are unknown until they are stored', async () => {
    const before = await open();
    const sessionId = newId();
    const place = { rank: 1, at: '2026-01-02T03:04:05.678Z', tasks: 1 } as const;
    await before.create({ ...sessionOf(sessionId), place }, [eventAfter(GENESIS)], []);
    await before.close();
    await query(url, INBOX_REMOVED);
    await query(url, "delete from parley_migration where name >= '0004'");
    await query(url, "update parley_meta set value = '3' where key = 'schema_version'");
    const storage = await open();
    const page = async () =>
      (await storage.inbox?.page('owner', { limit: 9, dueAt: place.at }))?.map((entry) => entry.sessionId);
    expect(await page()).toEqual([]);
    expect((await storage.inbox?.unplaced('owner', 9))?.map((entry) => entry.sessionId)).toEqual([sessionId]);
    const { seq, hash } = eventAfter(GENESIS);
    await storage.inbox?.note([{ sessionId, head: { seq, hash }, place }]);
    expect(await page()).toEqual([sessionId]);
  });

  test('lets a process of the previous release continue, and the place is unknown after its append', async () => {
    const storage = await open();
    const sessionId = newId();
    const place = { rank: 1, at: '2026-01-02T03:04:05.678Z', tasks: 1 } as const;
    await storage.create({ ...sessionOf(sessionId), place }, [eventAfter(GENESIS)], []);
    expect(await storage.inbox?.unplaced('owner', 9)).toEqual([]);
    await query(url, "update parley_session set seq = 2, hash = 'h', status = 'ACTIVE', phase = 'CONTRACT'");
    await query(
      url,
      `insert into parley_session (session_id, owner_id, title, status, phase, created_at, seq, hash)
       values ('x', 'owner', 't', 'DRAFT', 'PLANNING', now(), 1, 'h')`,
    );
    const unplaced = (await storage.inbox?.unplaced('owner', 9))?.map((entry) => entry.sessionId);
    expect(unplaced?.sort()).toEqual([sessionId, 'x'].sort());
  });

  test('of a release without the audit is migrated, and has the earlier events', async () => {
    const before = await open();
    const [sessionId, at] = [newId(), '2026-01-02T03:04:05.678Z'];
    const body = `{"session_id":"${sessionId}","seq":1,"at":"${at}","kind":"session.created","v":1,"actor":"owner","data":{}}`;
    const stored = { ...eventAfter(GENESIS), body };
    await before.create(sessionOf(sessionId), [stored], []);
    await before.close();
    await query(url, 'drop index parley_event_of_owner');
    await query(url, "delete from parley_migration where name >= '0005'");
    await query(url, "update parley_meta set value = '4' where key = 'schema_version'");
    const storage = await open();
    expect(await storage.ownerEvents(['owner'], { order: 'newest', limit: 9 })).toEqual([
      { sessionId, title: 'Title', ...stored },
    ]);
  });

  test('is inspected without being changed', async () => {
    const migrations = ['0001-first-tables', '0002-snapshots', '0003-presence', '0004-inbox', '0005-owner-events'].map(
      (name) => ({
        name,
        isApplied: false,
      }),
    );
    const look = () => readPostgresSchema({ connectionString: url });
    expect(await look()).toEqual({ version: 0, newest: 5, migrations, partitions: 0, shards: 0 });
    expect(await query(url, "select to_regclass('parley_meta') as found")).toEqual([{ found: null }]);
    await open();
    expect(await look()).toMatchObject({
      version: 5,
      migrations: migrations.map(({ name }) => ({ name, isApplied: true })),
    });
    await expect(readPostgresSchema({ connectionString: 'postgres://x@127.0.0.1:1/x' })).rejects.toThrow(
      StorageUnavailable,
    );
  });

  test('separates the sessions of schemas with different names', async () => {
    const [one, two] = [await open({ schema: 'one' }), await open({ schema: 'two' })];
    const sessionId = newId();
    await one.create(sessionOf(sessionId), [], []);
    expect(await two.fetch(sessionId, 0)).toBeNull();
    expect(await one.secret()).not.toBe(await two.secret());
  });

  test('of a name that needs quoting is refused', async () => {
    await expect(open({ schema: 'a"; drop table x' })).rejects.toThrow(TypeError);
  });

  test('is not created in a database that cannot store every character', async () => {
    const latin = new URL(url);
    latin.pathname += '_latin';
    const name = latin.pathname.slice(1);
    await query(url, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
    const opening = createPostgresStorage({ connectionString: latin.href });
    await expect(opening).rejects.toThrow(
      'The database has the encoding LATIN1, but Parley needs UTF8. Create a database with the encoding UTF8.',
    );
    await query(url, `drop database ${name} with (force)`);
  });

  test('of a database that does not exist is reported as unavailable', async () => {
    const missing = new URL(url);
    missing.pathname = '/not_there';
    await expect(createPostgresStorage({ connectionString: missing.href })).rejects.toThrow(StorageUnavailable);
    await expect(createPostgresStorage({ connectionString: 'postgres://x@127.0.0.1:1/x' })).rejects.toThrow(
      'The database cannot be reached',
    );
  });

  test('deletes old rate windows when the next window begins', async () => {
    const storage = await open();
    const count = () => storage.countWindow(20, [{ bucket: 'a', n: 1 }]);
    await count();
    for (let last = 1; last > 0; last = (await count())[0]?.n === 1 ? 0 : 1);
    expect(await query(url, 'select count(distinct win)::int as windows from parley_rate')).toEqual([{ windows: 1 }]);
  });
});
