import { readFile } from 'node:fs/promises';
import type { Check } from '../check.ts';
import { pass, warn } from '../result.ts';

/**
 * Number of files that a process has open in addition to the connections of agents: for the database, the log and other files.
 */
const OWN = 100;

/**
 * Checks whether the limit of open files is enough for the expected agents, because each waiting agent needs a connection.
 * Linux only.
 */
export const openFiles: Check = {
  name: 'open files',
  async run({ polls }) {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    // The hard limit counts: Node raises its soft limit to the hard limit when it starts.
    const [, limit] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? [];
    return limit === undefined ? undefined : judgeOpenFiles(Number(limit), polls);
  },
};

export function judgeOpenFiles(limit: number, polls: number) {
  const room = `${limit} open files: room for ${Math.max(0, limit - OWN)} waiting agents`;
  if (limit - OWN >= polls) return pass(room);
  return warn(
    `${room}, but ${polls} are expected`,
    `Raise the limit of the process, such as LimitNOFILE=${polls * 2} in its systemd unit, or start more processes.`,
  );
}
