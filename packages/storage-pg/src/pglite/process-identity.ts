import { readFileSync, readlinkSync } from 'node:fs';

/** Identifies a process among all that ever ran, as far as the system allows. */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * Start time in ticks since boot: distinguishes a process from a later one with the same id. Null if the system hides
   * it.
   */
  readonly startedAt: string | null;
  /** Namespace of the process id, such as a container. Ids of another namespace cannot be looked up here. */
  readonly namespace: string | null;
  readonly bootId: string | null;
}

export const identifyThisProcess = (): ProcessIdentity => identifyProcess(process.pid);

/** Identifies a process of this machine that runs now. */
export function identifyProcess(pid: number): ProcessIdentity {
  const bootId = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = readOrNull(() => readlinkSync('/proc/self/ns/pid'));
  return { pid, startedAt: startOf(pid), namespace, bootId };
}

/** Whether the process runs; null if this process cannot tell. */
export function isRunning(one: ProcessIdentity, self: ProcessIdentity): boolean | null {
  if (one.bootId !== self.bootId || one.namespace !== self.namespace) return null;
  if (one.startedAt !== null) return startOf(one.pid) === one.startedAt;
  return isPidInUse(one.pid) ? null : false;
}

/**
 * Whether the process still runs on this machine. A process of another boot or of another container does not. Where the system
 * hides start times, a later process with the same id counts as the same.
 */
export function isStillRunning(one: ProcessIdentity): boolean {
  const self = identifyThisProcess();
  if (one.bootId !== self.bootId || one.namespace !== self.namespace) return false;
  return isRunning(one, self) ?? one.bootId === null;
}

/** The 22nd field of the process's line; the second field may contain spaces and parentheses. */
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
