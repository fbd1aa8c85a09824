import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStorage, type Storage } from '@parley/core';
import { createPgliteStorage, createPostgresStorage, distributePostgres } from '@parley/storage-pg';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { fillPgliteFolder } from '../../../packages/storage-pg/test/pglite/pglite-template.ts';
import { createCitusDatabase } from '../../../scripts/servers/citus-cluster.ts';

/** A database that exists while a test file runs. */
export interface Store {
  /** Opens a storage on the database. PGlite allows one open storage at a time. */
  connect(): Promise<Storage>;
  remove(): Promise<void>;
}

export type StoreKind = 'memory' | 'PGlite' | 'PostgreSQL';

export interface StoreListing {
  readonly name: StoreKind;
  readonly open: () => Promise<Store>;
}

/** The workers of Citus. Empty on one PostgreSQL. */
const WORKERS = inject('citusWorkers') ?? [];

/** The storages to test. PostgreSQL is included if it is installed. With Citus, its database is the only storage. */
export const STORES: readonly StoreListing[] = [
  ...(WORKERS.length > 0 ? [] : embeddedStores()),
  ...databaseStores(inject('databaseUrl')),
];

/**
 * The storage of tests in which several processes share a database, or one follows another: PostgreSQL if it is installed.
 * What every storage does alike, the tests of the storages assert.
 */
export const SHARED_STORE: StoreListing = STORES.findLast(({ name }) => name !== 'PGlite') ?? expect.unreachable();

function embeddedStores(): StoreListing[] {
  return [
    { name: 'memory', open: openMemory },
    { name: 'PGlite', open: async () => openFolder(await newFolder()) },
  ];
}

function databaseStores(url: string | null): StoreListing[] {
  return url === null ? [] : [{ name: 'PostgreSQL', open: () => openDatabase(url) }];
}

export async function openMemory(): Promise<Store> {
  const memory = createMemoryStorage();
  return { connect: async () => memory.sibling(), remove: () => memory.close() };
}

/** Creates a folder with an embedded database in its subfolder `pg`. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-scenario-'));
  await fillPgliteFolder(join(folder, 'pg'));
  return folder;
}

export function openFolder(folder: string): Store {
  return {
    connect: () => createPgliteStorage({ folder: join(folder, 'pg') }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Number of shards of a database on Citus. Few, because each shard takes time to create. */
const SHARDS = 4;

/** Creates a database on the server. On Citus its tables are distributed. */
export async function openDatabase(serverUrl: string): Promise<Store & { readonly url: string }> {
  const database = await createDatabase(serverUrl);
  if (WORKERS.length > 0) await distributePostgres({ connectionString: database.url, shards: SHARDS });
  return database;
}

/** Creates a database without tables. On Citus the workers are registered in it. */
async function createDatabase(serverUrl: string): Promise<Store & { readonly url: string }> {
  if (WORKERS.length > 0) {
    const { url, drop } = await createCitusDatabase(serverUrl, WORKERS);
    return { url, connect: () => createPostgresStorage({ connectionString: url }), remove: drop };
  }
  const name = `scenario_${randomBytes(6).toString('hex')}`;
  await runOn(serverUrl, `create database ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  return {
    url,
    connect: () => createPostgresStorage({ connectionString: url }),
    remove: () => runOn(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Creates a database with the tables and rows of a dump. On Citus the tables of sessions are then distributed. */
export async function restoreDatabase(serverUrl: string, dump: string): Promise<Store> {
  const database = await createDatabase(serverUrl);
  await runOn(database.url, dump);
  if (WORKERS.length > 0) await runOn(database.url, DISTRIBUTE);
  return database;
}

/** SQL that distributes the tables of sessions, `parley_session` first. Works with every version of the schema. */
const DISTRIBUTE = `
select create_distributed_table('public.parley_session', 'session_id', colocate_with => 'none', shard_count => ${SHARDS});
select create_distributed_table(format('public.%I', table_name)::regclass, 'session_id', colocate_with => 'public.parley_session')
from information_schema.columns
where table_schema = 'public' and column_name = 'session_id' and table_name like 'parley%' and table_name <> 'parley_session'`;

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
