import { readFile } from 'node:fs/promises';
import type { Check } from '../check.ts';
import { pass, warn } from '../result.ts';

/** Open files of a process besides the connections of agents: database, log, files. */
const OWN = 100;

/** Whether the limit of open files allows the expected agents: each waiting agent holds one connection. Linux only. */
export const openFiles: Check = {
  name: 'open files',
  async run({ polls }) {
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    // Reads the hard limit, because Node raises its soft limit to the hard one.
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
