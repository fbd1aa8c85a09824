import { readFileSync, readlinkSync } from 'node:fs';

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

export const identifyThisProcess = (): ProcessIdentity => identifyProcess(process.pid);

/** Identifies a process that runs on this machine now. */
export function identifyProcess(pid: number): ProcessIdentity {
  const bootId = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = readOrNull(() => readlinkSync('/proc/self/ns/pid'));
  return { pid, startedAt: startOf(pid), namespace, bootId };
}

/** Whether a process still runs. Null if this is unknown, for example because the process is in another container. */
export function isRunning(one: ProcessIdentity, self: ProcessIdentity): boolean | null {
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
