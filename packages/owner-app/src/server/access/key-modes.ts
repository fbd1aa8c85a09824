import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HASH_FILE, KEY_FILE } from './key-file.ts';

/** What is wrong with the owner, or the mode, of a folder or file, and what to do. */
export interface KeyFault {
  readonly found: string;
  readonly advice: string;
}

const ROOT = 0;

/**
 * Looks for a way in which other users of the machine can read the owner key in a data folder, or can put another key in its
 * place. Undefined if there is none, and on Windows, which has no modes.
 *
 * The group counts as other users, unless the folder has the setgid bit. Kubernetes sets this bit when it gives a volume to the
 * group `fsGroup` of a pod, and makes the files readable and writable for the group at each start. In a folder with the sticky
 * bit, users can replace only their own files.
 */
export async function findKeyFault(dataFolder: string): Promise<KeyFault | undefined> {
  const folder = await statIfThere(dataFolder);
  const self = process.geteuid?.();
  if (!folder || self === undefined) return undefined;
  const others = folder.mode & 0o2000 ? 0o007 : 0o077;
  const isReplaceable = (folder.mode & others & 0o022) !== 0 && (folder.mode & 0o1000) === 0;
  if (isReplaceable)
    return {
      found: `other users can put another key into ${dataFolder} (mode ${modeText(folder)})`,
      advice: `Run: chmod go-w ${dataFolder}.`,
    };
  const files = [join(dataFolder, KEY_FILE), join(dataFolder, HASH_FILE)];
  for (const path of [dataFolder, ...files]) {
    const found = await statIfThere(path);
    if (found && found.uid !== self && found.uid !== ROOT)
      return {
        found: `${path} belongs to another user (uid ${found.uid}; this program runs with uid ${self})`,
        advice: `Run Parley as that user, or: chown ${self} ${path}.`,
      };
    if (found && path !== dataFolder && (found.mode & others) !== 0)
      return {
        found: `other users can read ${path} (mode ${modeText(found)})`,
        advice: `Run: chmod 600 ${path}. If other people use this machine, also delete owner-key and owner-key.json in the data folder, and start the server again, which creates a new owner key.`,
      };
  }
  return undefined;
}

const modeText = ({ mode }: Stats): string => (mode & 0o777).toString(8);

const statIfThere = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
