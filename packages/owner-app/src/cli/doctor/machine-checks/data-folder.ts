import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findKeyFault } from '../../../server/access/key-modes.ts';
import type { Settings } from '../../../server/settings/settings.ts';
import type { Check } from '../check.ts';
import { fail, pass, type Result, warn } from '../result.ts';

/** The permission bits of the group and of all other users. */
const OTHERS = 0o077;

/**
 * Checks the folder with the owner key and the embedded database. Skipped if the settings contain both an owner key and
 * the URL of a PostgreSQL database, because the server then does not use the folder.
 */
export const dataFolder: Check = {
  name: 'data folder',
  async run({ settings }) {
    if (settings.databaseUrl && settings.ownerKey) return undefined;
    const { dataFolder: folder } = settings;
    const mode = await modeOf(folder);
    if (mode === undefined) return judgeMissing(folder);
    if (!(await isWritable(folder)))
      return fail(
        `the user who runs this command cannot write to ${folder}`,
        'Run parley doctor as the user of the service, or change the owner of the folder with chown.',
      );
    return (await judgeKeys(settings)) ?? judgeFolder(folder, mode);
  },
};

async function judgeMissing(folder: string): Promise<Result> {
  let parent = dirname(resolve(folder));
  while ((await modeOf(parent)) === undefined) parent = dirname(parent);
  if (await isWritable(parent)) return pass(`${folder} does not exist yet; the first start creates it`);
  return fail(
    `${folder} does not exist, and the user who runs this command cannot write to ${parent}`,
    'Create the folder, or choose another folder with --data.',
  );
}

async function judgeKeys({ dataFolder: folder, ownerKey }: Settings): Promise<Result | undefined> {
  if (ownerKey) return undefined;
  const fault = await findKeyFault(folder);
  return fault && fail(fault.found, fault.advice);
}

const judgeFolder = (folder: string, mode: number): Result =>
  (mode & OTHERS) === 0
    ? pass(`${folder}, mode ${mode.toString(8)}`)
    : warn(`other users can open ${folder} (mode ${mode.toString(8)})`, `Run: chmod 700 ${folder}`);

async function modeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && found.mode & 0o777;
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
