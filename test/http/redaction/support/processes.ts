import { readdir, readFile } from 'node:fs/promises';

/** The command lines of all processes, which `ps` shows to every user. Empty on a system without /proc. */
export async function commandLines(): Promise<string> {
  const entries = await readdir('/proc').catch((): string[] => []);
  const read = (id: string): Promise<string> => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
  return (await Promise.all(entries.filter((entry) => /^\d+$/.test(entry)).map(read))).join('\n');
}
