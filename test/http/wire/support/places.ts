import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from '@parley/core';
import { createPgliteStorage, createPostgresStorage, lockFolder } from '@parley/storage-pg';
import pg from 'pg';
import { inject } from 'vitest';
import { openDataFolder } from '../../../../packages/storage-pg/src/pglite/data-folder.ts';
import { newFolder, openDatabase } from '../../../scenarios/support/stores.ts';

/** A database that a test can read with SQL while no service has the database open. */
export interface Place {
  connect(): Promise<Storage>;
  query(text: string): Promise<readonly object[]>;
  remove(): Promise<void>;
}

const databaseUrl = inject('databaseUrl');

/** PostgreSQL is tested if it is installed. */
export const PLACES: readonly (readonly [name: string, open: () => Promise<Place>])[] = [
  ['PGlite', openEmbedded],
  ...(databaseUrl === null ? [] : [['PostgreSQL', () => openServer(databaseUrl)] as const]),
];

async function openEmbedded(): Promise<Place> {
  const folder = await newFolder();
  const data = join(folder, 'pg');
  return {
    connect: () => createPgliteStorage({ folder: data }),
    async query(text) {
      const lock = await lockFolder(data);
      const { engine } = await openDataFolder(lock);
      const { rows } = await engine.query<object>(text);
      await engine.close();
      await lock.release();
      return rows;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function openServer(serverUrl: string): Promise<Place> {
  const { url, remove } = await openDatabase(serverUrl);
  return {
    connect: () => createPostgresStorage({ connectionString: url }),
    async query(text) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<object>(text);
      await client.end();
      return rows;
    },
    remove,
  };
}

/** Counts events and documents, and adds up the number of the last event of each session. */
export const countRows = (place: Place): Promise<readonly object[]> =>
  place.query(`select (select count(*)::int from parley_event) as events,
    (select count(*)::int from parley_document) as documents, (select sum(seq)::int from parley_session) as heads`);
