import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createParley } from '@parley/core';
import { readSettings } from '@parley/owner-app';
import { createPostgresStorage } from '@parley/storage-pg';
import { Client } from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { joinAs } from '../../support/join-session.ts';
import { createNewcomer } from '../support/newcomer.ts';
import { snippetsOf, snippetUnder } from '../support/snippets.ts';

const snippets = snippetsOf('docs/deploy.md');
const newcomer = createNewcomer();
const databaseUrl = inject('databaseUrl');

afterAll(() => newcomer.leave());

test('the page has no block beyond those that are tried, and those of programs that are not here', () => {
  expect(snippets.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    'With Docker Compose: sh',
    'With Docker Compose: text',
    'With Docker Compose: text',
    'PostgreSQL: sql',
    'PostgreSQL: sh',
    'PostgreSQL: sql',
    'Backup: sh',
    'Backup: sh',
    'Backup: sh',
  ]);
});

test('the secrets for Compose are what the service and its database take, and nobody else reads them', async () => {
  const { code } = await newcomer.shell(snippetUnder(snippets, 'With Docker Compose', 'sh'));
  expect(code).toBe(0);
  const file = join(newcomer.folder, '.env');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
  expect(Object.keys(environment)).toEqual([
    'POSTGRES_PASSWORD',
    'PARLEY_OWNER_KEY',
    'PARLEY_PUBLIC_URL',
    'PARLEY_TLS',
  ]);
  expect(readSettings(environment).ownerKey).toMatch(/^pok_[0-9a-f]{48}$/);
  expect(environment.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
});

describe.skipIf(databaseUrl === null)('the roles in PostgreSQL', () => {
  const name = `t_${randomBytes(4).toString('hex')}`;
  const own = (text: string): string =>
    text.replace('database parley ', `database ${name} `).replaceAll(/parley_(owner|app)/g, `${name}_$1`);
  const urlOf = (role: string, database = name): string => {
    const url = new URL(databaseUrl ?? '');
    Object.assign(url, { username: `${name}_${role}`, password: 'a secret', pathname: `/${database}` });
    return url.href;
  };

  afterAll(async () => {
    await run(databaseUrl ?? '', `drop database if exists ${name} with (force)`);
    await run(databaseUrl ?? '', `drop role if exists ${name}_owner, ${name}_app`);
  });

  test('run the service, and cannot change an event that is stored', async () => {
    const created = own(snippetUnder(snippets, 'PostgreSQL', 'sql', 0)).replace('another secret', 'a secret');
    for (const statement of created.split(';\n').filter(Boolean)) await run(databaseUrl ?? '', statement);
    await (await createPostgresStorage({ connectionString: urlOf('owner') })).close();
    await run(urlOf('owner'), own(snippetUnder(snippets, 'PostgreSQL', 'sql', 1)));

    const storage = await createPostgresStorage({ connectionString: urlOf('app') });
    const parley = await createParley({ storage, sharedLimits: true });
    const owner = parley.owner('owner');
    const { session_id } = await owner.createSession({
      title: 'Refunds',
      objective: 'A buyer gets the money back within a day.',
      requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
    });
    const token = await joinAs({ parley, owner }, session_id, 'agent_a');
    const sender = { authorization: [`Bearer ${token}`], address: '192.0.2.1' };
    expect(await parley.admit(sender)).toMatchObject({ role: 'agent_a' });
    await expect(run(urlOf('app'), `update parley_event set body = '{}'`)).rejects.toThrow('permission denied');
    await expect(run(urlOf('app'), 'create table other (n int)')).rejects.toThrow('permission denied');
    await owner.deleteSession(session_id);
    await parley.close();
    await storage.close();
  });
});

describe.skipIf(databaseUrl === null)('the page about Citus', () => {
  test('names every table', async () => {
    const name = `t_${randomBytes(4).toString('hex')}`;
    await run(databaseUrl ?? '', `create database ${name}`);
    const url = Object.assign(new URL(databaseUrl ?? ''), { pathname: `/${name}` }).href;
    await (await createPostgresStorage({ connectionString: url })).close();
    const rows = await run(url, "select relname as name from pg_class where relkind = 'r' and relname like 'parley%'");
    await run(databaseUrl ?? '', `drop database ${name}`);
    const tables = rows.map((row) => String(row.name));
    expect(tables.length).toBeGreaterThan(8);
    const text = readFileSync('docs/deploy/citus.md', 'utf8');
    expect(tables.filter((table) => !text.includes(`\`${table}\``))).toEqual([]);
  });
});

async function run(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
