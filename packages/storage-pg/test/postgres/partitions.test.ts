import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Pool, type PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findPrograms } from '../../../../scripts/servers/postgres-programs.ts';
import type { Database } from '../../src/database/database.ts';
import { tablesIn } from '../../src/database/tables.ts';
import { createPostgresStorage, partitionPostgres, readPostgresSchema } from '../../src/index.ts';
import { appendSessions, fetchSessions } from '../../src/sql/sessions.ts';
import { databaseUrl, newDatabase, query } from '../new-database.ts';
import { appendOf, eventAfter, GENESIS, startSessions } from '../samples.ts';

describe.skipIf(databaseUrl === null)('partitions', () => {
  let url = '';
  let drop = async (): Promise<void> => undefined;

  beforeEach(async () => {
    ({ url, drop } = await newDatabase());
  });
  afterEach(() => drop());

  async function open() {
    const storage = await createPostgresStorage({ connectionString: url });
    onTestFinished(() => storage.close());
    return storage;
  }

  test('are created from tables with rows, keys and grants, and again with another number', async () => {
    const before = await open();
    const ids = await startSessions(before, 40);
    const first = eventAfter(GENESIS);
    await Promise.all(ids.map((sessionId) => before.append({ ...appendOf(sessionId, GENESIS), events: [first] })));
    await before.close();
    const role = `r_${ids[0]}`;
    await query(url, `create role ${role}; grant select, insert on parley_event to ${role}`);
    const standing = await partitionPostgres({ connectionString: url, partitions: 8 });
    expect(standing).toMatchObject({ version: 5, newest: 5, partitions: 8 });
    expect(await partitionPostgres({ connectionString: url, partitions: 3 })).toMatchObject({ partitions: 3 });
    expect(await readPostgresSchema({ connectionString: url })).toMatchObject({ partitions: 3 });

    const spread = 'select tableoid::regclass::text as part from parley_event group by 1 order by 1';
    expect(await query(url, spread)).toEqual([0, 1, 2].map((index) => ({ part: `parley_event_p${index}` })));
    const indexes = "select indexname from pg_indexes where tablename in ('parley_session', 'parley_event') order by 1";
    expect((await query(url, indexes)).map(({ indexname }) => indexname)).toEqual([
      'parley_event_of_owner',
      'parley_event_pkey',
      'parley_session_inbox',
      'parley_session_owner',
      'parley_session_pkey',
    ]);
    const filled = "select distinct reloptions from pg_class where relname ~ '^parley_session_p[0-9]+$'";
    expect(await query(url, filled)).toEqual([{ reloptions: ['fillfactor=70'] }]);
    const granted = `select privilege_type from information_schema.role_table_grants
      where grantee = '${role}' and table_name = 'parley_event' order by 1`;
    expect((await query(url, granted)).map(({ privilege_type }) => privilege_type)).toEqual(['INSERT', 'SELECT']);
    await query(url, `drop owned by ${role}; drop role ${role}`);
    expect(await query(url, "select from pg_namespace where nspname like '%unparted'")).toEqual([]);

    const after = await open();
    expect((await after.list('owner', { limit: 100 })).length).toBe(40);
    for (const sessionId of ids) expect(await after.append(appendOf(sessionId, first))).toBe('appended');
    expect(await after.delete(ids[0] ?? '')).toBe(true);
    expect(await query(url, 'select count(*)::int as events from parley_event')).toEqual([{ events: 78 }]);
  });

  test('are refused if their number is invalid', async () => {
    for (const partitions of [0, 1, 1.5, 1_025, Number.NaN]) {
      await expect(partitionPostgres({ connectionString: url, partitions })).rejects.toThrow('from 2 to 1024');
    }
  });

  test('are read only where a fetched session is stored', async () => {
    await partitionPostgres({ connectionString: url, partitions: 8 });
    const storage = await open();
    const [sessionId = ''] = await startSessions(storage, 1);
    await query(
      url,
      `insert into parley_session select 'x' || n, 'o', 't', 's', 'p', now(), 1, 'h' from generate_series(1, 4000) n;
       insert into parley_event select 'x' || n, s, 'h', repeat('b', 100) from generate_series(1, 4000) n, generate_series(1, 3) s;
       analyze parley_session; analyze parley_event`,
    );
    const fetch = { sessionId: 'x7', after: 0, skipIfMoreThan: undefined };
    const read = await partitionsTouched((database) => fetchSessions(database, [fetch]));
    expect(read.map((name) => name.replace(/\d+$/, ''))).toEqual(['parley_session_p', 'parley_event_p']);
    expect(new Set(read.map((name) => name.replace(/^.*_p/, ''))).size).toBe(1);
    const written = await partitionsTouched((database) => appendSessions(database, [appendOf(sessionId, GENESIS)]));
    expect(new Set(written).size).toBe(1);
  });

  /** Returns the partitions that a statement scans, according to EXPLAIN. */
  async function partitionsTouched(send: (database: Database) => Promise<unknown>): Promise<readonly string[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const lines: string[] = [];
    const explaining = {
      release: () => undefined,
      async query({ text, values }: { text: string; values: unknown[] }) {
        const { rows } = await client.query(`explain (analyze, costs off, timing off, summary off) ${text}`, values);
        lines.push(...rows.map((row) => String(row['QUERY PLAN'])));
        return { rows: [] };
      },
    } as unknown as PoolClient;
    const connect = async () => explaining;
    await send({ pool: new Pool(), connect, tables: tablesIn('public'), isPrepared: () => false });
    await client.end();
    expect(lines.join('\n')).toMatch(/parley_session_p0/);
    const scans = lines.filter((line) => !line.includes('never executed'));
    return scans.flatMap((line) => /Scan.* on (parley_\w+_p\d+)/.exec(line)?.[1] ?? []);
  }

  test('are still there after a dump and its restoration', async ({ skip }) => {
    const programs = findPrograms(['pg_dump', 'psql']) ?? skip();
    await partitionPostgres({ connectionString: url, partitions: 4 });
    const storage = await open();
    const [sessionId = ''] = await startSessions(storage, 5);
    await storage.append(appendOf(sessionId, GENESIS));
    const copy = await newDatabase();
    onTestFinished(copy.drop);
    const run = promisify(execFile);
    const { stdout } = await run(join(programs, 'pg_dump'), ['--no-owner', '--table=parley_*', url]);
    const script = run(join(programs, 'psql'), ['--quiet', '--set=ON_ERROR_STOP=1', copy.url]);
    script.child.stdin?.end(stdout);
    await script;
    expect(await readPostgresSchema({ connectionString: copy.url })).toMatchObject({ version: 5, partitions: 4 });
    const restored = await createPostgresStorage({ connectionString: copy.url });
    onTestFinished(() => restored.close());
    expect((await restored.fetch(sessionId, 0))?.head.seq).toBe(1);
    expect(await restored.append(appendOf(sessionId, eventAfter(GENESIS)))).toBe('appended');
  });
});
