import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCli } from '../child.ts';
import { newFolder } from '../new-folder.ts';

const FAKE = fileURLToPath(new URL('fake-client.mjs', import.meta.url));

/** The URL of the service, and a function that returns an invitation code. */
interface Joinable {
  readonly url: string;
  code(role: 'agent_a' | 'agent_b'): Promise<string>;
}

/** A machine with a home folder and the repository of one agent. Its client is `fake-client.mjs`. */
export async function machine({ url, code }: Joinable, role: 'agent_a' | 'agent_b') {
  const [home, folder] = [await newFolder(), await newFolder()];
  const given = await code(role);
  const run = (mode: string, ...args: readonly string[]) => {
    const command = `${process.execPath} ${FAKE} ${folder} ${mode} {prompt}`;
    const flags = ['--command', command, '--folder', folder, '--url', url, '--pause', '0.1'];
    return startCli(['run', ...args, ...flags], { HOME: home });
  };
  const prompts = async (): Promise<string[]> => {
    const text = await readFile(join(folder, 'prompts.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
  const parley = (...args: readonly string[]) => startCli([...args, '--folder', folder, '--url', url], { HOME: home });
  /** Returns the folder in which `parley run` keeps its files. */
  const files = async (): Promise<string> => {
    const runs = join(home, '.config', 'parley', 'runs');
    const [name = ''] = await readdir(runs);
    return join(runs, name);
  };
  return { home, folder, code: given, run, prompts, parley, files };
}
