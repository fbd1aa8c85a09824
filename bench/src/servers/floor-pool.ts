import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { lockFolder } from '@parley/storage-pg';
import pg from 'pg';
import { makeFloorTables } from '../floor-tables.ts';

/** The modules with which `storage-pg` opens a PGlite in a folder. PGlite then writes its commits to the disk. */
const ENGINE = new URL('../../../packages/storage-pg/dist/pglite/data-folder.js', import.meta.url).href;

type Engines = typeof import('../../../packages/storage-pg/src/pglite/data-folder.ts');

/**
 * Opens the database of the floor: a PGlite if `folder` is given, otherwise PostgreSQL. Both are used through the same
 * driver.
 */
export async function openFloorPool({ database, folder, answerBytes }: Readonly<Record<string, unknown>>) {
  if (folder === undefined) return new pg.Pool({ connectionString: String(database), max: 10 });
  const { openDataFolder } = (await import(ENGINE)) as Engines;
  const { engine } = await openDataFolder(await lockFolder(String(folder)));
  const pool = new pg.Pool({ ...createPgConfig(engine), max: 1, idleTimeoutMillis: 0 });
  await makeFloorTables((sql, values) => pool.query(sql, values && [...values]), Number(answerBytes));
  return pool;
}
