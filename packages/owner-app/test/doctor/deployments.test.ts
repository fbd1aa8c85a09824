import { randomBytes } from 'node:crypto';
import type { Storage } from '@parley/core';
import { createLog } from '@parley/http-host/program';
import { createPostgresStorage, inspectPostgres } from '@parley/storage-pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../scripts/servers/free-port.ts';
import { startPgBouncer } from '../../../../scripts/servers/pgbouncer-server.ts';
import { type PostgresServer, startPostgres } from '../../../../scripts/servers/postgres-server.ts';
import { startRedis } from '../../../../scripts/servers/redis-server.ts';
import { findProgram } from '../../../../scripts/servers/side-program.ts';
import { runCli } from '../../src/cli/program.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { startServer } from '../../src/server/start.ts';
import { startCli } from '../child.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { KEY } from '../running-app.ts';
import { examined } from './examined.ts';

const testServer = inject('databaseUrl');

test('invalid settings end the command immediately', async () => {
  const report = await examined({ PARLEY_SHARED_LIMITS: 'perhaps', DATABASE_URL: 'mysql://root:hunter2@db' });
  expect(report.code).toBe(2);
  expect(report.standings).toEqual({ settings: 'fail' });
  expect(report.of('settings')?.found).toContain('PARLEY_SHARED_LIMITS (--shared-limits) is "perhaps"');
  expect(report.output).not.toContain('hunter2');
});

test('an embedded database in use is reported and not opened', async () => {
  const folder = await newFolder();
  const child = startCli(['serve'], { PORT: '0', PARLEY_DATA: folder, PARLEY_OWNER_KEY: KEY });
  await child.says(/^parley listening/m);
  const report = await examined({ PARLEY_DATA: folder });
  expect(report.code).toBe(0);
  expect(report.of('embedded database')?.found).toBe(`${folder}/pg, used by process ${child.process.pid}`);
});

describe.skipIf(testServer === null)('on PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    const started = await startPostgres({ durable: true });
    if (started === null) throw new Error('no PostgreSQL');
    server = started;
  });
  afterAll(() => server.stop());

  const sql = async (text: string, url = server.url) => {
    const inspection = await inspectPostgres(url);
    try {
      return await inspection.rows(text);
    } finally {
      await inspection.close();
    }
  };

  /** Creates a database with Parley's tables, and returns its URL. */
  async function newDatabase(): Promise<string> {
    const name = `d_${randomBytes(4).toString('hex')}`;
    await sql(`create database ${name}`);
    const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    await (await createPostgresStorage({ connectionString: url })).close();
    return url;
  }

  async function opened(url: string): Promise<Storage> {
    const storage = await createPostgresStorage({ connectionString: url });
    onTestFinished(() => storage.close());
    await storage.health();
    return storage;
  }

  /** Changes a setting of the PostgreSQL server until the test ends. */
  async function setFor(name: string, value: string): Promise<void> {
    await sql(`alter system set ${name} = '${value}'`);
    await sql('select pg_reload_conf()');
    onTestFinished(async () => {
      await sql(`alter system reset ${name}`);
      await sql('select pg_reload_conf()');
    });
    await expect
      .poll(() => sql(`select setting from pg_settings where name = '${name}'`))
      .toEqual([{ setting: value }]);
  }

  test('a deployment without faults passes every check', async () => {
    const DATABASE_URL = await newDatabase();
    const port = await freePort();
    const environment = { DATABASE_URL, PORT: String(port), PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}` };
    const settings = readSettings({ ...environment, PARLEY_OWNER_KEY: KEY });
    const running = await startServer(settings, createLog('silent', process.stderr));
    onTestFinished(() => running.close());
    const { code, standings, of } = await examined(environment);
    expect(standings).toEqual({
      settings: 'ok',
      node: expect.stringMatching(/^(ok|warn)$/),
      'open files': 'ok',
      PostgreSQL: 'ok',
      tables: 'ok',
      privileges: 'ok',
      writes: 'ok',
      durability: 'ok',
      autovacuum: 'ok',
      JIT: 'ok',
      clock: 'ok',
      pooler: 'ok',
      processes: 'ok',
      connections: 'ok',
      hints: 'ok',
      'server here': 'ok',
      'public address': 'ok',
      reachable: 'ok',
      caching: 'ok',
      authorization: 'ok',
      'body size': 'ok',
    });
    expect(code).toBe(0);
    expect(of('server here')?.found).toBe(`the server at http://127.0.0.1:${port} is ready`);
    expect(of('processes')?.found).toBe('one process uses this database');
    expect(of('connections')?.found).toBe('1 process takes up to 11 of 97 connections');
    expect(of('hints')?.found).toBe('NOTIFY at DATABASE_URL works');
  });

  test('the advice is printed below each finding', async () => {
    const terminal = fakeTerminal({ PORT: '0', PARLEY_OWNER_KEY: KEY, DATABASE_URL: testServer ?? '' });
    expect(await runCli(['doctor'], terminal)).toBe(1);
    expect(terminal.output()).toMatch(
      /^FAIL {2}durability {8}fsync is off: a crash of the machine can destroy the\n {24}database\n {24}→ Set fsync = on in postgresql\.conf/m,
    );
    expect(terminal.output()).toMatch(/^\d failures?, \d warnings?\.$/m);
  });

  test('an unreachable server is the only failure, and its password is not printed', async () => {
    const report = await examined({ DATABASE_URL: `postgres://parley:hunter2@127.0.0.1:${await freePort()}/parley` });
    expect(report.code).toBe(1);
    expect(report.of('PostgreSQL')?.found).toMatch(/^the PostgreSQL at DATABASE_URL cannot be reached: .*ECONNREFUSED/);
    expect(report.standings).not.toHaveProperty('durability');
    expect(report.output).not.toContain('hunter2');
  });

  test('tables may be missing, or newer than this program', async () => {
    const url = await newDatabase();
    await sql("update parley_meta set value = '99' where key = 'schema_version'", url);
    const newer = await examined({ DATABASE_URL: url });
    expect(newer.of('tables')).toMatchObject({
      standing: 'fail',
      found: expect.stringMatching(/^the tables have schema 99, which is newer than schema \d+ of this program/),
    });
    await sql('drop table parley_meta', url);
    expect((await examined({ DATABASE_URL: url })).of('tables')).toMatchObject({
      standing: 'warn',
      found: 'the database has no tables yet',
    });
  });

  test.each([
    ['full_page_writes', 'off', 'durability', 'fail'],
    ['synchronous_commit', 'off', 'durability', 'warn'],
    ['autovacuum', 'off', 'autovacuum', 'fail'],
  ])('%s %s is a matter of %s', async (name, value, check, standing) => {
    const url = await newDatabase();
    await setFor(name, value);
    expect((await examined({ DATABASE_URL: url })).of(check)).toMatchObject({
      standing,
      found: expect.stringContaining(name),
    });
  });

  test('dead rows that no vacuum removes are counted', async () => {
    const url = await newDatabase();
    await sql('alter table parley_rate set (autovacuum_enabled = off)', url);
    await sql("insert into parley_rate select 'b' || n, 1, 1, 1 from generate_series(1, 20000) n", url);
    await sql('delete from parley_rate', url);
    await sql('select pg_stat_force_next_flush()', url);
    await expect
      .poll(async () => (await examined({ DATABASE_URL: url })).of('autovacuum'))
      .toMatchObject({ standing: 'warn', found: 'parley_rate has 20000 dead rows and 0 live rows' });
  });

  test('missing privileges of the database user are reported', async () => {
    const url = await newDatabase();
    const role = `r_${randomBytes(4).toString('hex')}`;
    await sql(`create role ${role} login`, url);
    await sql(`grant select, insert, update, delete on all tables in schema public to ${role}`, url);
    const environment = { DATABASE_URL: Object.assign(new URL(url), { username: role }).href };
    expect((await examined(environment)).of('privileges')).toMatchObject({ standing: 'ok' });
    await sql(`revoke delete on parley_event from ${role}`, url);
    expect((await examined(environment)).of('privileges')).toMatchObject({
      standing: 'fail',
      found: 'missing privileges of the database user: delete on parley_event',
      advice: 'Run as the owner of the tables: grant delete on parley_event to <user>;',
    });
  });

  test('pools with more connections than the server allows fail', async () => {
    const url = await newDatabase();
    const judged = async (pool: string) =>
      (await examined({ DATABASE_URL: url, PARLEY_PG_POOL: pool })).of('connections');
    expect(await judged('90')).toMatchObject({ standing: 'warn' });
    expect(await judged('97')).toMatchObject({
      standing: 'fail',
      found: '1 process takes up to 98 of 97 connections',
    });
  });

  test('several processes without a common owner key or common limits are reported', async () => {
    const url = await newDatabase();
    await Promise.all([opened(url), opened(url)]);
    const judged = async (more: Record<string, string>) =>
      (await examined({ DATABASE_URL: url, ...more })).of('processes');
    expect(await judged({ PARLEY_OWNER_KEY: '' })).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining('PARLEY_OWNER_KEY is not set'),
    });
    expect(await judged({})).toMatchObject({
      standing: 'warn',
      advice: expect.stringContaining('PARLEY_SHARED_LIMITS'),
    });
    expect(await judged({ PARLEY_SHARED_LIMITS: 'on' })).toMatchObject({ standing: 'ok' });
    expect((await examined({ DATABASE_URL: url, PARLEY_HINTS: 'off' })).of('hints')?.standing).toBe('warn');
  });

  test('a hash partition that is missing is found', async () => {
    const url = await newDatabase();
    await sql('create table parley_part (session_id text) partition by hash (session_id)', url);
    await sql('create table part_0 partition of parley_part for values with (modulus 2, remainder 0)', url);
    expect((await examined({ DATABASE_URL: url })).of('partitions')).toMatchObject({
      standing: 'fail',
      found: 'the table parley_part lacks partitions; number of its partitions: 1',
    });
    await sql('create table part_1 partition of parley_part for values with (modulus 4, remainder 1)', url);
    await sql('create table part_3 partition of parley_part for values with (modulus 4, remainder 3)', url);
    expect((await examined({ DATABASE_URL: url })).of('partitions')?.found).toBe('parley_part in 3');
  });

  describe.skipIf(findProgram('pgbouncer', 'REQUIRE_PGBOUNCER') === null)('through PgBouncer', () => {
    test('NOTIFY and prepared statements fail until the settings bypass the pooler', async () => {
      const direct = await newDatabase();
      const pooler = await startPgBouncer(direct);
      onTestFinished(() => pooler?.stop());
      const environment = { DATABASE_URL: pooler?.url ?? '' };
      const bare = await examined({ ...environment, PARLEY_PG_PREPARED: 'on' });
      expect(bare.code).toBe(1);
      expect(bare.standings).toMatchObject({ pooler: 'fail', hints: 'fail', JIT: 'warn' });
      expect(bare.of('hints')?.advice).toContain('PARLEY_PG_DIRECT_URL');
      expect(bare.of('connections')).toBe(undefined);
      await sql('alter role parley set jit = off');
      onTestFinished(async () => void (await sql('alter role parley reset jit')));
      const mended = await examined({ ...environment, PARLEY_PG_DIRECT_URL: direct });
      expect(mended.standings).toMatchObject({ pooler: 'ok', hints: 'ok' });
      expect(mended.of('pooler')?.found).toBe('DATABASE_URL leads to a pooler in transaction mode');
    });
  });

  describe.skipIf(findProgram('redis-server', 'REQUIRE_REDIS') === null)('with Redis', () => {
    test('a hint arrives, or the reason is reported without the password', async () => {
      const redis = await startRedis({ requirepass: 'open-sesame' });
      onTestFinished(() => redis?.stop());
      const DATABASE_URL = await newDatabase();
      const at = (password: string) => (redis?.url ?? '').replace('redis://', `redis://:${password}@`);
      const good = await examined({ DATABASE_URL, REDIS_URL: at('open-sesame') });
      expect(good.of('hints')).toEqual({ name: 'hints', standing: 'ok', found: 'Redis works' });
      const wrong = await examined({ DATABASE_URL, REDIS_URL: at('hunter2-hunter2') });
      expect(wrong.of('hints')).toMatchObject({ standing: 'fail', found: expect.stringContaining('WRONGPASS') });
      await redis?.crash();
      const gone = await examined({ DATABASE_URL, REDIS_URL: at('open-sesame') });
      expect(gone.of('hints')).toMatchObject({ standing: 'fail', found: expect.stringContaining('ECONNREFUSED') });
      expect(good.output + wrong.output + gone.output).not.toMatch(/sesame|hunter2/);
    });
  });
});
