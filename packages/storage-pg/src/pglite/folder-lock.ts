import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAbsence } from './generations.ts';

/** Identifies a process among all current and past processes, as far as the system allows it. */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * Start time in ticks since boot, which distinguishes the process from a later process with the same id. Null if the
   * system hides it.
   */
  readonly startedAt: string | null;
  /** The namespace of the process id, such as a container. Process ids of other namespaces cannot be looked up. */
  readonly namespace: string | null;
  readonly bootId: string | null;
}

const identifyThisProcess = (): ProcessIdentity => identifyProcess(process.pid);

/** Identifies a process that runs on this machine now. */
export function identifyProcess(pid: number): ProcessIdentity {
  const bootId = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = readOrNull(() => readlinkSync('/proc/self/ns/pid'));
  return { pid, startedAt: startOf(pid), namespace, bootId };
}

/** Whether a process still runs. Null if this is unknown, for example because the process is in another container. */
function isRunning(one: ProcessIdentity, self: ProcessIdentity): boolean | null {
  if (one.bootId !== self.bootId || one.namespace !== self.namespace) return null;
  if (one.startedAt !== null) return startOf(one.pid) === one.startedAt;
  return isPidInUse(one.pid) ? null : false;
}

/**
 * Whether a process still runs on this machine. False if the process is from before the last boot or from another
 * container. If the system hides start times, a later process with the same id counts as the same process.
 */
export function isStillRunning(one: ProcessIdentity): boolean {
  const self = identifyThisProcess();
  if (one.bootId !== self.bootId || one.namespace !== self.namespace) return false;
  return isRunning(one, self) ?? one.bootId === null;
}

/**
 * Reads the start time of a process, which is field 22 of its line in /proc. Counts from the last parenthesis, because
 * the second field may contain spaces and parentheses.
 */
function startOf(pid: number): string | null {
  return readOrNull(() => {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : (fields[18] ?? null);
  });
}

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readOrNull<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const BEAT_MS = 2_000;
/**
 * Milliseconds after which a claim without renewal is stale. The limit is long, because the same thread renews the
 * claim and runs the database.
 */
const SILENCE_MS = 20_000;
/**
 * Milliseconds after which a claim from another machine or container is stale if not renewed. If the last renewal is
 * more recent, the claim is watched for a new renewal, because the clocks of the machines may differ.
 */
const LONG_AGO_MS = 10 * 60_000;
const LOOK_MS = 250;
const MOST_TRIES = 4;

/** Returns the error of work in a folder. If the claim is lost, that is the reason, whatever failed because of it. */
export const failureIn = (lock: FolderLock, error: unknown): unknown =>
  lock.isHeld() ? error : new Error(LOST, { cause: error });

/** Thrown if another process, or another part of this process, uses a folder. Nothing was changed. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  readonly folder: string;
  /** Process id of the holder, on the holder's own machine or in its container. */
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`The folder ${folder} is in use by process ${pid}.`);
    this.folder = folder;
    this.pid = pid;
  }
}

/**
 * The claim of this process on a folder, which is renewed every two seconds. It has one of these states:
 *
 * - held: the last renewal succeeded.
 * - doubted: the last renewal failed, for example because no descriptor or no space was left. The next renewal is tried
 *   as usual; until one succeeds, no write is allowed.
 * - lost: the claim file is missing or contains another claim. This is final. Another process takes a folder only if
 *   this process has not renewed its claim for 20 seconds. It renames the claim file first, so from then on `isHeld`
 *   returns false.
 */
export interface FolderLock {
  readonly folder: string;
  isDoubted(): boolean;
  /** Looks whether the claim file is there now. */
  isHeld(): boolean;
  /** Resolves when the claim is lost. */
  readonly lost: Promise<void>;
  /**
   * Returns the paths of the claims from which the folder was taken although their processes may still live. They
   * remain until the holder has made sure that those processes cannot change its data, and removes them.
   */
  lostClaims(): readonly string[];
  release(): Promise<void>;
}

/** The reason why a process stops that has lost its folder. */
export const LOST =
  'Another process took over the database folder, or the lock file was deleted. Start the program again.';

/**
 * Claims a folder for this process. Each claim has its own filename, so that removing the claim of a dead process never
 * removes another claim. The claim is written before the other claims are read. So if two processes start at the same
 * time, at least one of them sees the other's claim.
 *
 * @param silenceMs milliseconds for which a holder on another machine may fail to renew its claim
 * @throws FolderInUse if a live process holds the folder
 */
export async function lockFolder(folder: string, silenceMs = SILENCE_MS): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let tries = 1; ; tries += 1) {
    const name = await claim(folder);
    const holder = await findHolder(folder, name, silenceMs);
    if (holder === null) return hold(folder, name);
    await rm(join(folder, name), { force: true });
    if (tries === MOST_TRIES) throw new FolderInUse(folder, holder.pid);
    await pause(50 + Math.random() * 100);
  }
}

/** Returns the process that holds a folder, or null if no process holds it. Claims are neither added nor removed. */
export async function readHolder(folder: string, silenceMs: number): Promise<ProcessIdentity | null> {
  const self = identifyThisProcess();
  for (const name of await readdir(folder)) {
    if (!name.startsWith('lock-')) continue;
    const holder = await readClaim(join(folder, name));
    if (holder === null) continue;
    if (isRunning(holder, self) ?? (await isBeating(join(folder, name), Date.now(), silenceMs))) return holder;
  }
  return null;
}

/**
 * Writes a claim, and returns its filename. The file is written under another name and then renamed, so that a claim is
 * always complete.
 */
async function claim(folder: string): Promise<string> {
  const id = randomUUID();
  const draft = join(folder, `draft-${id}`);
  await writeFile(draft, JSON.stringify(identifyThisProcess()), { flag: 'wx', mode: 0o600 });
  const name = `lock-${id}`;
  await rename(draft, join(folder, name));
  return name;
}

async function findHolder(folder: string, own: string, silenceMs: number): Promise<ProcessIdentity | null> {
  const self = identifyThisProcess();
  const now = (await stat(join(folder, own))).mtimeMs;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('lock-') || name === own) continue;
    const path = join(folder, name);
    const holder = await readClaim(path);
    if (holder === null) continue;
    const runs = isRunning(holder, self);
    if (runs ?? (await isBeating(path, now, silenceMs))) return holder;
    if (runs === false) await rm(path, { force: true });
    else await takeFrom(folder, name);
  }
  return null;
}

/** Ends a claim whose process may still live. If another process has ended the claim meanwhile, does nothing. */
async function takeFrom(folder: string, name: string): Promise<void> {
  await rename(join(folder, name), join(folder, name.replace('lock-', 'lost-'))).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}

/**
 * Reads which process has made a claim. Returns null if the claim does not exist. A claim that a power cut has
 * truncated contains no process, so only its age decides whether it is stale.
 */
async function readClaim(path: string): Promise<ProcessIdentity | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return { pid: 0, startedAt: null, namespace: null, bootId: null };
  }
}

/** Watches a claim of another machine, and returns whether its holder renews it within `silenceMs`. */
async function isBeating(path: string, now: number, silenceMs: number): Promise<boolean> {
  const first = await timeOf(path);
  if (first === null || now - first > LONG_AGO_MS) return false;
  for (let waited = 0; waited < silenceMs; waited += LOOK_MS) {
    await pause(LOOK_MS);
    const time = await timeOf(path);
    if (time !== first) return time !== null;
  }
  return false;
}

async function timeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.mtimeMs ?? null;
}

function hold(folder: string, name: string): FolderLock {
  const path = join(folder, name);
  let beat: NodeJS.Timeout | undefined;
  let isDoubted = false;
  const lost = new Promise<void>((resolve) => {
    const look = async (): Promise<void> => {
      const outcome = await renew(path);
      isDoubted = outcome !== 'held';
      if (outcome === 'lost') resolve();
    };
    beat = setInterval(() => void look(), BEAT_MS).unref();
  });
  return {
    folder,
    lost,
    isDoubted: () => isDoubted,
    isHeld: () => existsSync(path),
    lostClaims: () =>
      readdirSync(folder)
        .filter((one) => one.startsWith('lost-'))
        .map((one) => join(folder, one)),
    async release() {
      clearInterval(beat);
      await rm(path, { force: true });
    },
  };
}

/**
 * Renews the claim by writing the same text again, in place. This sets the time of the file by the clock of the file
 * system.
 */
async function renew(path: string): Promise<'held' | 'doubted' | 'lost'> {
  const claim = JSON.stringify(identifyThisProcess());
  try {
    const file = await open(path, 'r+');
    try {
      if ((await file.readFile('utf8')) !== claim) return 'lost';
      await file.write(claim, 0);
      return 'held';
    } finally {
      await file.close();
    }
  } catch (error) {
    return isAbsence(error) ? 'lost' : 'doubted';
  }
}
