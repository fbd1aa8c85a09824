import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStorage, type Storage } from '@parley/core';
import { createPgliteStorage, createPostgresStorage } from '@parley/storage-pg';
import pg from 'pg';
import { inject } from 'vitest';
import { fillPgliteFolder } from '../../../packages/storage-pg/test/pglite-template.ts';

/** A database that exists for the duration of a test file. */
export interface Store {
  /** Opens a storage on the database. On PGlite, only one may be open at a time: close it before you open the next. */
  connect(): Promise<Storage>;
  remove(): Promise<void>;
}

export type StoreKind = 'memory' | 'PGlite' | 'PostgreSQL';

export interface StoreListing {
  readonly name: StoreKind;
  readonly open: () => Promise<Store>;
}

/** The storages to test; PostgreSQL only if a server is installed. */
export const STORES: readonly StoreListing[] = [
  { name: 'memory', open: openMemory },
  { name: 'PGlite', open: async () => openFolder(await newFolder()) },
  ...databaseStores(inject('databaseUrl')),
];

function databaseStores(url: string | null): StoreListing[] {
  return url === null ? [] : [{ name: 'PostgreSQL', open: () => openDatabase(url) }];
}

export async function openMemory(): Promise<Store> {
  const memory = createMemoryStorage();
  return { connect: async () => memory.sibling(), remove: () => memory.close() };
}

/** Creates a folder; its subfolder `pg` contains an embedded database. */
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

/** Creates a database on the server. */
export async function openDatabase(serverUrl: string): Promise<Store & { readonly url: string }> {
  const name = `scenario_${randomBytes(6).toString('hex')}`;
  await runOn(serverUrl, `create database ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  return {
    url,
    connect: () => createPostgresStorage({ connectionString: url }),
    remove: () => runOn(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
