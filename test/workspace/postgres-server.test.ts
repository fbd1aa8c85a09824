import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../scripts/servers/postgres-server.ts';

const isInstalled = inject('databaseUrl') !== null;

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A broken connection rejects the query, and also raises this event.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows;
}

async function server(durable: boolean): Promise<PostgresServer> {
  const started = await startPostgres({ durable });
  if (!started) throw new Error('no PostgreSQL server');
  onTestFinished(() => started.stop());
  return started;
}

describe.runIf(isInstalled)('the private PostgreSQL', () => {
  test('the one of the test run answers', async () => {
    const rows = await query(inject('databaseUrl') ?? '', 'select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  test('runs with fsync when it is to be durable', async () => {
    const { url } = await server(true);
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  });

  test('keeps what was committed over a crash', async () => {
    const { url, crash, restart } = await server(true);
    await query(url, 'create table kept as select 7 as n');
    await crash();
    await restart();
    expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('starts at once after all of its processes were killed while clients connect', async () => {
    const { url, kill, restart } = await server(true);
    await query(url, 'create table kept as select 7 as n');
    for (let round = 0; round < 3; round += 1) {
      const busy = Promise.allSettled(Array.from({ length: 20 }, () => query(url, 'select pg_sleep(5)')));
      await expect.poll(async () => (await query(url, 'select 1 from pg_stat_activity')).length).toBeGreaterThan(10);
      await kill();
      await restart();
      expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
      await busy;
    }
  });

  test('of a killed runner is swept by the next start', async () => {
    const code = `
      import { createServer } from 'vite';
      const vite = await createServer({ configFile: false, server: { middlewareMode: true, hmr: false }, logLevel: 'error' });
      const { startPostgres } = await vite.ssrLoadModule('/scripts/servers/postgres-server.ts');
      const { url } = await startPostgres();
      console.log(url);
      setInterval(() => {}, 1000);`;
    const runner = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(runner.stdout, 'data').then(([text]) => [String(text).trim()]);
    const rows = await query(url ?? '', 'show data_directory');
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    await server(false);
    expect(rows).toEqual([{ data_directory: expect.stringContaining('parley-pg-') }]);
    await expect(query(url ?? '', 'select 1')).rejects.toThrow();
    expect(existsSync((rows as { data_directory: string }[])[0]?.data_directory ?? '')).toBe(false);
  });
});
