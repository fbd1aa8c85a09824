import { join } from 'node:path';
import { fillPgliteFolder } from '../../storage-pg/test/pglite/pglite-template.ts';
import { startCli } from './child.ts';
import { newFolder } from './new-folder.ts';

const LISTENING = /^parley listening on (http:\/\/127\.0\.0\.1:\d+)$/m;

/** Runs `parley serve` in a separate process, on a free port. */
export async function serveIn(folder: string, environment: Record<string, string> = {}) {
  const child = startCli(['serve'], { PORT: '0', PARLEY_DATA: folder, ...environment });
  const [, url = ''] = await child.says(LISTENING);
  return { child, url };
}

/** Creates a data folder with an empty database. A server starts faster on it than without one. */
export async function newDataFolder(): Promise<string> {
  const folder = join(await newFolder(), 'data');
  await fillPgliteFolder(join(folder, 'pg'));
  return folder;
}
