import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findKeyFault } from '../../server/access/owner-key.ts';
import { openArchive } from '../../server/retain/open-archive.ts';
import { isLoopback } from '../../text/joining.ts';
import { CLUSTER_CHECKS } from './cluster-checks.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import type { Check } from './deployment.ts';
import { fail, pass, type Result, warn } from './result.ts';
import { SITE_CHECKS } from './site-checks.ts';

/** Checks the archive to which sessions are exported before they are erased. Skipped if no retention is configured. */
export const archive: Check = {
  name: 'archive',
  async run({ settings: { retention } }) {
    if (!retention) return undefined;
    const opened = openArchive(retention.to);
    try {
      await opened.examine();
    } catch (error) {
      return fail(
        error instanceof Error ? error.message : String(error),
        'No session is erased until this fault is corrected. After the correction, run parley retain --check, which also tests writing a file.',
      );
    }
    const { to } = retention;
    if (to.kind === 's3' && to.endpoint && isPlain(to.endpoint))
      return warn(
        `${to.endpoint} is plain HTTP: others on the network can read the exported sessions`,
        'Give the store a certificate, and set AWS_ENDPOINT_URL_S3 to its https: address.',
      );
    return pass(`${opened.addressOf('')} answers; to test writing a file too, run parley retain --check`);
  },
};

const isPlain = (endpoint: string): boolean => new URL(endpoint).protocol === 'http:' && !isLoopback(endpoint);

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
    const fault = settings.ownerKey ? undefined : await findKeyFault(folder);
    return fault ? fail(fault.found, fault.advice) : judgeFolder(folder, mode);
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

/** Oldest major version of Node that still gets security fixes. */
const MAINTAINED = 22;

const nodeVersion: Check = {
  name: 'node',
  run: () => readVersion(process.versions.node),
};

export function readVersion(version: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return fail(`Node ${version} is too old`, 'Install Node 24; Parley needs 20.19 or newer.');
  if (major < MAINTAINED) return warn(`Node ${version} gets no security fixes any more`, 'Install Node 24.');
  return pass(`Node ${version}`);
}

/** Number of files that the server has open besides the connections of agents, such as for the database and the log. */
const OWN = 100;

/**
 * Checks whether the limit of open files is high enough for the expected agents, because each waiting agent has a
 * connection. Skipped if the system has no `/proc/self/limits`.
 */
const openFiles: Check = {
  name: 'open files',
  async run({ polls }) {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    // Reads the hard limit, because Node raises its soft limit to the hard limit when Node starts.
    const [, limit] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? [];
    return limit === undefined ? undefined : judgeOpenFiles(Number(limit), polls);
  },
};

export function judgeOpenFiles(limit: number, polls: number) {
  const room = `the limit of ${limit} open files allows ${Math.max(0, limit - OWN)} waiting agents`;
  if (limit - OWN >= polls) return pass(room);
  return warn(
    `${room}, but ${polls} are expected`,
    `Raise the limit of open files, for example with LimitNOFILE=${polls * 2} in the systemd unit, or start more processes.`,
  );
}

const MACHINE_CHECKS: readonly Check[] = [nodeVersion, openFiles, dataFolder, archive];

/** The checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [...MACHINE_CHECKS, ...DATABASE_CHECKS, ...CLUSTER_CHECKS, ...SITE_CHECKS];
