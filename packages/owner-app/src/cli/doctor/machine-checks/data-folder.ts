import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { HASH_FILE, KEY_FILE } from '../../../server/access/key-folder.ts';
import type { Settings } from '../../../server/settings/settings.ts';
import type { Check } from '../check.ts';
import { fail, pass, type Result, warn } from '../result.ts';

/** The permission bits of the group and of all other users. */
const OTHERS = 0o077;

/** Checks the folder of the owner key and the embedded database. Does not apply if settings replace both. */
export const dataFolder: Check = {
  name: 'data folder',
  async run({ settings }) {
    if (settings.databaseUrl && settings.ownerKey) return undefined;
    const { dataFolder: folder } = settings;
    const mode = await modeOf(folder);
    if (mode === undefined) return judgeMissing(folder);
    if (!(await isWritable(folder)))
      return fail(
        `this user cannot write ${folder}`,
        'Run parley doctor as the user of the service, or change the owner with chown.',
      );
    return (await judgeKeys(settings)) ?? judgeFolder(folder, mode);
  },
};

async function judgeMissing(folder: string): Promise<Result> {
  let parent = dirname(resolve(folder));
  while ((await modeOf(parent)) === undefined) parent = dirname(parent);
  if (await isWritable(parent)) return pass(`${folder} does not exist yet; the first start makes it`);
  return fail(
    `${folder} does not exist, and this user cannot write ${parent}`,
    'Create the folder, or name another with --data.',
  );
}

async function judgeKeys({ dataFolder: folder, ownerKey }: Settings): Promise<Result | undefined> {
  if (ownerKey) return undefined;
  for (const path of [join(folder, KEY_FILE), join(folder, HASH_FILE)]) {
    const mode = await modeOf(path);
    if (mode !== undefined && (mode & OTHERS) !== 0)
      return fail(
        `other users can read ${path} (mode ${mode.toString(8)})`,
        `chmod 600 ${path}, and get a new owner key if others use this machine.`,
      );
  }
  return undefined;
}

const judgeFolder = (folder: string, mode: number): Result =>
  (mode & OTHERS) === 0
    ? pass(`${folder}, mode ${mode.toString(8)}`)
    : warn(`${folder} is open to others (mode ${mode.toString(8)})`, `chmod 700 ${folder}`);

async function modeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && found.mode & 0o777;
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
