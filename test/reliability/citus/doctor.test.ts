import { distributePostgres } from '@parley/storage-pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { examined } from '../../../packages/owner-app/test/doctor/examined.ts';
import { type CitusCluster, createCitusDatabase, runOn, startCitus } from '../../../scripts/servers/citus-cluster.ts';

const CHECKS = ['Citus workers', 'Citus tables', 'Citus durability', 'Citus clocks', 'Citus connections'];

describe('parley doctor on Citus', () => {
  let cluster: CitusCluster;
  let DATABASE_URL: string;
  /** Host and port of each worker, as `parley doctor` prints them. */
  let names: string[];
  beforeAll(async () => {
    const started = await startCitus({ durable: true, settings: { 'citus.node_connection_timeout': '3s' } });
    if (started === null) throw new Error('Citus is not installed.');
    cluster = started;
    names = cluster.workers.map(({ url }) => new URL(url).host);
    DATABASE_URL = await newDatabase();
    await distributePostgres({ connectionString: DATABASE_URL });
    return () => cluster.stop();
  });

  const newDatabase = async (): Promise<string> =>
    (
      await createCitusDatabase(
        cluster.coordinator.url,
        cluster.workers.map(({ url }) => url),
      )
    ).url;

  /** Changes a setting of a server until the test ends. */
  async function setFor(url: string, name: string, value: string): Promise<void> {
    const change = async (text: string): Promise<void> => {
      await runOn(url, text);
      await runOn(url, 'select pg_reload_conf()');
    };
    await change(`alter system set ${name} = '${value}'`);
    onTestFinished(() => change(`alter system reset ${name}`));
    await expect.poll(async () => (await runOn(url, `show ${name}`))[0]).toEqual({ [name]: value });
  }

  const look = async (check: string, environment: Readonly<Record<string, string>> = {}) =>
    (await examined({ DATABASE_URL, ...environment })).of(check);

  test('finds nothing wrong with a cluster that is as the document says', async () => {
    const { of } = await examined({ DATABASE_URL });
    expect(CHECKS.map((name) => of(name)?.found)).toEqual([
      '2 workers, all of them can be reached',
      '5 tables in 32 shards, distributed together by session_id, one copy of each shard',
      'fsync, full_page_writes and synchronous_commit are on at 2 workers',
      'the clocks of 2 workers and of this machine differ by less than two seconds',
      `1 process takes up to 10 of 197 connections to the worker ${names.toSorted()[0]}`,
    ]);
  });

  test('names a worker whose writes do not reach the disk', async () => {
    await setFor(cluster.workers[1]?.url ?? '', 'synchronous_commit', 'off');
    expect(await look('Citus durability')).toMatchObject({
      standing: 'warn',
      found: `synchronous_commit is off on ${names[1]}: the last acknowledged turns can be lost in a crash`,
      advice: expect.stringContaining('set synchronous_commit = on'),
    });
    await setFor(cluster.workers[0]?.url ?? '', 'fsync', 'off');
    expect(await look('Citus durability')).toMatchObject({
      standing: 'fail',
      found: `fsync is off on ${names[0]}: a crash of the machine can destroy the database`,
    });
  });

  test('names a worker that does not answer, and still looks at the others', async () => {
    await cluster.workers[0]?.kill();
    onTestFinished(async () => cluster.workers[0]?.restart());
    const { of } = await examined({ DATABASE_URL });
    expect(of('Citus workers')).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining(`the coordinator cannot reach ${names[0]}: `),
      advice: expect.stringContaining('answered with 503'),
    });
    expect(of('Citus durability')?.found).toBe('fsync, full_page_writes and synchronous_commit are on at 1 workers');
  });

  test('compares the connections of the processes with those that a worker accepts', async () => {
    expect(await look('Citus connections', { PARLEY_PG_POOL: '198' })).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining('1 process takes up to 198 of 197 connections to the worker 127.0.0.1:'),
    });
    await setFor(cluster.coordinator.url, 'citus.max_shared_pool_size', '5');
    expect(await look('Citus connections')).toMatchObject({
      standing: 'warn',
      found: 'citus.max_shared_pool_size allows 5 connections to each worker, but 1 process may need 10',
      advice: expect.stringContaining('alter system set citus.max_shared_pool_size = 10'),
    });
    await setFor(cluster.coordinator.url, 'citus.max_shared_pool_size', '300');
    expect(await look('Citus connections')).toMatchObject({
      standing: 'warn',
      found: expect.stringMatching(
        /^citus\.max_shared_pool_size allows 300 .* but max_connections of 127\.0\.0\.1:\d+ is 200:/,
      ),
      advice: expect.stringContaining('alter system set citus.max_shared_pool_size = 200'),
    });
  });

  test('says that a coordinator waits long for a machine that does not answer', async () => {
    const slow = Object.assign(new URL(DATABASE_URL), {
      search: '?options=-c%20citus.node_connection_timeout=30s',
    }).href;
    expect(await look('Citus workers', { DATABASE_URL: slow })).toMatchObject({
      standing: 'warn',
      found: expect.stringContaining('waits up to 30 s for a connection to a worker'),
    });
  });

  test('says what is wrong with the layout of the tables', async () => {
    expect(await look('Citus tables', { PARLEY_PG_SHARDED: 'off' })).toMatchObject({
      standing: 'fail',
      found: expect.stringContaining('PARLEY_PG_SHARDED is off'),
    });
    const other = await newDatabase();
    const at = (environment = {}) => look('Citus tables', { DATABASE_URL: other, ...environment });
    expect(await at()).toBe(undefined);
    await distributePostgres({ connectionString: other, shards: 8 });
    await runOn(other, "select undistribute_table('parley_presence')");
    expect(await at()).toMatchObject({
      standing: 'fail',
      found: 'tables that are not distributed: parley_presence; no session can be written',
      advice: 'Stop the servers and run: parley migrate up --citus.',
    });
    await runOn(other, "select create_distributed_table('parley_presence', 'role')");
    expect(await at()).toMatchObject({
      standing: 'fail',
      found: 'tables that are not distributed together with parley_session by session_id: parley_presence',
      advice: expect.stringContaining("select undistribute_table('parley_presence');"),
    });
    await runOn(other, "select undistribute_table('parley_presence')");
    await distributePostgres({ connectionString: other });
    await runOn(other, `select citus_drain_node('127.0.0.1', ${names[1]?.split(':')[1]}, 'block_writes')`);
    await runOn(
      other,
      `select citus_set_node_property('127.0.0.1', ${names[1]?.split(':')[1]}, 'shouldhaveshards', true)`,
    );
    expect(await at()).toMatchObject({
      standing: 'warn',
      found: `shards are unevenly spread: ${names[1]} has 0, ${names[0]} has 8`,
      advice: 'Run on the coordinator: select citus_rebalance_start().',
    });
    await runOn(other, "select undistribute_table(logicalrelid::text) from pg_dist_partition where partmethod = 'h'");
    expect(await at({ PARLEY_PG_SHARDED: 'on' })).toMatchObject({
      standing: 'warn',
      found: 'PARLEY_PG_SHARDED is on, but the tables are not distributed: all sessions are on the coordinator',
    });
  });
});
