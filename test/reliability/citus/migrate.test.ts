import { createParley } from '@parley/core';
import { createPostgresStorage, distributePostgres, NotDistributable, partitionPostgres } from '@parley/storage-pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../../packages/owner-app/src/cli/program.ts';
import { fakeTerminal } from '../../../packages/owner-app/test/fake-terminal.ts';
import {
  type CitusCluster,
  createCitusDatabase,
  runOn,
  startCitus,
  workersOf,
} from '../../../scripts/servers/citus-cluster.ts';
import { joinSession } from '../../support/join-session.ts';
import { SESSION } from '../processes/support/mission.ts';

const TABLES = `
select table_name::text as name, distribution_column as key, colocation_id - min(colocation_id) over () as beside, shard_count::int as shards
from citus_tables order by 1`;

const distributed = (shards: number) =>
  ['document', 'event', 'presence', 'session', 'snapshot'].map((name) => ({
    ...{ name: `parley_${name}`, key: 'session_id', beside: 0, shards },
  }));

describe('parley migrate up --citus', () => {
  let cluster: CitusCluster;
  beforeAll(async () => {
    const started = await startCitus();
    if (started === null) throw new Error('Citus is not installed.');
    cluster = started;
    return () => cluster.stop();
  });

  async function newDatabase(workers = cluster.workers.map(({ url }) => url)): Promise<string> {
    const { url, drop } = await createCitusDatabase(cluster.coordinator.url, workers);
    onTestFinished(drop);
    return url;
  }

  async function parley(url: string, ...args: readonly string[]) {
    const terminal = fakeTerminal({ DATABASE_URL: url });
    const code = await runCli(args, terminal);
    return { code, output: terminal.output(), errors: terminal.errors() };
  }

  const count = async (url: string, table: string) =>
    (await runOn(url, `select count(*)::int as n from ${table}`))[0]?.n;

  test('distributes all tables that have a session id together, and does nothing the second time', async () => {
    const url = await newDatabase();
    const first = await parley(url, 'migrate', 'up', '--citus');
    expect({ code: first.code, errors: first.errors }).toEqual({ code: 0, errors: '' });
    expect(first.output).toContain('32 shards on Citus.');
    expect(await runOn(url, TABLES)).toEqual(distributed(32));
    const withSession = `select distinct table_name::text as name from information_schema.columns
      where table_schema = 'public' and column_name = 'session_id' and table_name like 'parley%' order by 1`;
    expect((await runOn(url, withSession)).map(({ name }) => name)).toEqual(distributed(32).map(({ name }) => name));
    expect((await parley(url, 'migrate', 'up', '--citus')).code).toBe(0);
    expect((await parley(url, 'migrate', 'up')).code).toBe(0);
    expect((await parley(url, 'migrate', 'status')).output).toContain('32 shards on Citus.');
    expect(await parley(url, 'migrate', 'up', '--citus', '--shards', '8')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/32 shards already.*alter_distributed_table.*shard_count := 8/),
    });
  });

  test('takes existing sessions along, and a storage opened afterwards goes on with them', async () => {
    const url = await newDatabase();
    const sessionId = await playSome(url);
    const events = await count(url, 'parley_event');
    expect(events).toBeGreaterThan(5);
    const done = await parley(url, 'migrate', 'up', '--citus', '--shards', '6', '--json');
    expect(JSON.parse(done.output)).toMatchObject({ shards: 6, partitions: 0 });
    expect(await runOn(url, TABLES)).toEqual(distributed(6));
    expect(await count(url, 'parley_event')).toBe(events);
    const [left] = await runOn(url, "select pg_relation_size('parley_event')::int as bytes");
    expect(left).toEqual({ bytes: 0 });

    const storage = await createPostgresStorage({ connectionString: url });
    const service = await createParley({ storage });
    const owner = service.owner('owner');
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true });
    expect((await owner.listSessions({})).sessions.map(({ session_id }) => session_id)).toEqual([sessionId]);
    await joinSession({ parley: service, owner }, { session: SESSION, withModerator: false });
    await service.close();
    await storage.close();
  });

  test('distributes by itself a table that is not distributed yet when a migration is due', async () => {
    const url = await newDatabase();
    await distributePostgres({ connectionString: url, shards: 4 });
    await runOn(url, "drop table parley_presence; delete from parley_migration where name = '0003-presence'");
    await runOn(url, "update parley_meta set value = '2' where key = 'schema_version'");
    await playSome(url);
    expect(await runOn(url, TABLES)).toEqual(distributed(4));
  });

  test('completes tables that were distributed by hand in part', async () => {
    const url = await newDatabase();
    await (await createPostgresStorage({ connectionString: url })).close();
    await runOn(
      url,
      `select create_distributed_table('parley_session', 'session_id', colocate_with => 'none', shard_count => 16);
       select create_distributed_table('parley_event', 'session_id', colocate_with => 'parley_session')`,
    );
    await distributePostgres({ connectionString: url });
    expect(await runOn(url, TABLES)).toEqual(distributed(16));
  });

  test('refuses what cannot become right, says what to do, and changes nothing', async () => {
    const refusal = async (url: string): Promise<string> => {
      const done = await parley(url, 'migrate', 'up', '--citus');
      expect(done.code).toBe(1);
      return done.errors;
    };
    const alone = await newDatabase([]);
    expect(await refusal(alone)).toContain("Run on it for each worker: select citus_add_node('<host>', <port>)");
    expect(await runOn(alone, "select to_regclass('parley_session') as there")).toEqual([{ there: null }]);

    const without = Object.assign(new URL(cluster.coordinator.url), { pathname: '/template1' }).href;
    expect(await refusal(without)).toContain('create extension citus');

    const url = await newDatabase();
    const [worker = ''] = await workersOf(url);
    expect(await refusal(worker)).toContain('Use the address of the coordinator');

    const running = await createPostgresStorage({ connectionString: url });
    await running.health();
    expect(await refusal(url)).toContain('1 process of Parley uses this database. Stop it first.');
    await running.close();

    const odd = await newDatabase();
    await (await createPostgresStorage({ connectionString: odd })).close();
    await runOn(odd, "select create_distributed_table('parley_event', 'session_id')");
    expect(await refusal(odd)).toContain('select undistribute_table(\'"public".parley_event\')');

    const parted = await newDatabase();
    await partitionPostgres({ connectionString: parted, partitions: 2 });
    expect(await refusal(parted)).toContain('The tables are partitioned.');
  });

  test('stays distributed: no partitions, no statements of one server, no start on a worker', async () => {
    const url = await newDatabase();
    await distributePostgres({ connectionString: url, shards: 4 });
    await expect(partitionPostgres({ connectionString: url, partitions: 2 })).rejects.toThrow(NotDistributable);
    await expect(createPostgresStorage({ connectionString: url, isSharded: false })).rejects.toThrow(
      'Remove isSharded: false or PARLEY_PG_SHARDED=off',
    );
    const [worker = ''] = await workersOf(url);
    await expect(createPostgresStorage({ connectionString: worker })).rejects.toThrow(
      'Use the address of the coordinator',
    );
  });

  async function playSome(url: string): Promise<string> {
    const storage = await createPostgresStorage({ connectionString: url });
    const service = await createParley({ storage });
    const owner = service.owner('owner');
    const { sessionId } = await joinSession({ parley: service, owner }, { session: SESSION, withModerator: false });
    await service.close();
    await storage.close();
    return sessionId;
  }
});
