import { StorageUnavailable } from '@parley/core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresStorage, readPostgresSchema } from '../src/index.ts';
import { databaseUrl, newDatabase, query } from './new-database.ts';
import { appendOf, eventAfter, GENESIS, newId, sessionOf } from './samples.ts';

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

  test('is made once by programs that start together', async () => {
    const storages = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(storages.map((storage) => storage.health()));
    expect(await query(url, "select value from parley_meta where key = 'schema_version'")).toEqual([{ value: '2' }]);
    expect(await query(url, 'select name from parley_migration')).toEqual([
      { name: '0001-first-tables' },
      { name: '0002-snapshots' },
    ]);
  });

  test('newer than the program stops the start', async () => {
    await open();
    await query(url, "update parley_meta set value = '99' where key = 'schema_version'");
    await expect(open()).rejects.toThrow(
      'The database has schema 99; this program supports schemas up to 2: start a newer program.',
    );
  });

  test('older than the program stops the start of one that may not migrate', async () => {
    await expect(open({ migrates: false })).rejects.toThrow('has schema 0; this program requires 2');
    await open();
    await expect(open({ migrates: false })).resolves.toBeDefined();
  });

  test('of a release without snapshots is brought up, with its sessions', async () => {
    const before = await open();
    const sessionId = newId();
    await before.create(sessionOf(sessionId), [eventAfter(GENESIS)], []);
    await before.close();
    await query(url, 'drop table parley_snapshot');
    const role = `r_${sessionId}`;
    await query(url, `create role ${role}; grant select, insert, update, delete on parley_session to ${role}`);
    await query(url, "delete from parley_migration where name = '0002-snapshots'");
    await query(url, "update parley_meta set value = '1' where key = 'schema_version'");
    await expect(open({ migrates: false })).rejects.toThrow('has schema 1; this program requires 2: migrate it first.');
    const storage = await open();
    expect(await readPostgresSchema({ connectionString: url })).toMatchObject({ version: 2 });
    expect(await storage.append(appendOf(sessionId, eventAfter(GENESIS)))).toBe('appended');
    const { seq, hash } = eventAfter(GENESIS);
    expect(await storage.saveSnapshot?.({ sessionId, seq, hash, foldVersion: 1, body: 'state' })).toBe(true);
    expect(await storage.delete(sessionId)).toBe(true);
    const granted = `select privilege_type as may from information_schema.role_table_grants
      where grantee = '${role}' and table_name = 'parley_snapshot' order by 1`;
    expect((await query(url, granted)).map(({ may }) => may)).toEqual(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
    await query(url, `drop owned by ${role}; drop role ${role}`);
  });

  test('is looked at without being changed', async () => {
    const migrations = ['0001-first-tables', '0002-snapshots'].map((name) => ({ name, isApplied: false }));
    const look = () => readPostgresSchema({ connectionString: url });
    expect(await look()).toEqual({ version: 0, newest: 2, migrations, partitions: 0 });
    expect(await query(url, "select to_regclass('parley_meta') as found")).toEqual([{ found: null }]);
    await open();
    expect(await look()).toMatchObject({ version: 2, migrations: [{ isApplied: true }, { isApplied: true }] });
    await expect(readPostgresSchema({ connectionString: 'postgres://x@127.0.0.1:1/x' })).rejects.toThrow(
      StorageUnavailable,
    );
  });

  test('keeps sessions of schemas of different names apart', async () => {
    const [one, two] = [await open({ schema: 'one' }), await open({ schema: 'two' })];
    const sessionId = newId();
    await one.create(sessionOf(sessionId), [], []);
    expect(await two.fetch(sessionId, 0)).toBeNull();
    expect(await one.secret()).not.toBe(await two.secret());
  });

  test('of a name that needs quoting is refused', async () => {
    await expect(open({ schema: 'a"; drop table x' })).rejects.toThrow(TypeError);
  });

  test('is not made in a database that cannot hold every character', async () => {
    const latin = new URL(url);
    latin.pathname += '_latin';
    const name = latin.pathname.slice(1);
    await query(url, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
    const opening = createPostgresStorage({ connectionString: latin.href });
    await expect(opening).rejects.toThrow('The database has encoding LATIN1; Parley needs UTF8.');
    await query(url, `drop database ${name} with (force)`);
  });

  test('of a database that is not there is unavailable', async () => {
    const missing = new URL(url);
    missing.pathname = '/not_there';
    await expect(createPostgresStorage({ connectionString: missing.href })).rejects.toThrow(StorageUnavailable);
    await expect(createPostgresStorage({ connectionString: 'postgres://x@127.0.0.1:1/x' })).rejects.toThrow(
      'The database cannot be reached',
    );
  });

  test('leaves old rate windows behind no longer than the next one', async () => {
    const storage = await open();
    const count = () => storage.countWindow(20, [{ bucket: 'a', n: 1 }]);
    await count();
    for (let last = 1; last > 0; last = (await count())[0]?.n === 1 ? 0 : 1);
    expect(await query(url, 'select count(distinct win)::int as windows from parley_rate')).toEqual([{ windows: 1 }]);
  });
});
