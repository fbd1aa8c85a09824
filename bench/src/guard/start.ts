import { spawnSync } from 'node:child_process';
import { quantile } from '../statistics.ts';

const RUNS = 12;
const COMMAND = new URL('../../../packages/owner-app/bin/parley.js', import.meta.url).href;

/** Prints the processor time of its own process, in microseconds, when the process ends. */
const TELL = `process.once('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeSync(2, String(user + system)); });`;

/** The processor time of two commands of `parley`, each divided by that of a Node that does nothing. */
export function measureStart(): { readonly version: number; readonly help: number } {
  const [bare, version, help]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < RUNS; index += 1) {
    bare.push(costOf(TELL, []));
    version.push(costOf(`${TELL} import('${COMMAND}');`, ['--version']));
    help.push(costOf(`${TELL} import('${COMMAND}');`, ['help']));
  }
  const undisturbed = (costs: readonly number[]): number => quantile(costs, 0.25);
  return { version: undisturbed(version) / undisturbed(bare), help: undisturbed(help) / undisturbed(bare) };
}

function costOf(code: string, words: readonly string[]): number {
  // `-e` has no file, so the word `parley` stands where the commands expect their file.
  const { stderr, status } = spawnSync(process.execPath, ['-e', code, '--', 'parley', ...words], { encoding: 'utf8' });
  if (status !== 0 || !/^\d+$/.test(stderr)) throw new Error(`parley ${words.join(' ')} failed: ${stderr}`);
  return Number(stderr);
}
