import { readFile } from 'node:fs/promises';
import type { Check } from '../check.ts';
import { pass, warn } from '../result.ts';

/** Number of files that the server has open besides the connections of agents, such as for the database and the log. */
const OWN = 100;

/**
 * Checks whether the limit of open files is high enough for the expected agents, because each waiting agent has a
 * connection. Skipped if the system has no `/proc/self/limits`.
 */
export const openFiles: Check = {
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
