import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

/** The output of a program, its exit code, and the milliseconds after its start at which a text was first in its output. */
export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly out: () => string;
  /** Resolves with the milliseconds; rejects if the program ends without having printed the text. */
  readonly printed: (text: string) => Promise<number>;
}

/** Somebody with an empty folder, an empty HOME and an empty cache of npm, whose npm uses the registry of the test. */
export function newcomer() {
  const place = mkdtempSync(join(tmpdir(), 'parley-newcomer-'));
  const folder = mkdtempSync(join(place, 'folder-'));
  const home = mkdtempSync(join(place, 'home-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const environment = {
    HOME: home,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    npm_config_registry: inject('registry'),
    npm_config_update_notifier: 'false',
    NO_COLOR: '1',
  };

  function start(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Run {
    const startedAt = performance.now();
    // A group of its own, because npx does not always pass signals to the program that it runs.
    const child = spawn(command, [...args], { cwd: folder, env: { ...environment, ...more }, detached: true });
    let text = '';
    const seen: { readonly at: number; readonly length: number }[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
        seen.push({ at: performance.now() - startedAt, length: text.length });
      });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    });
    const printed = async (wanted: string): Promise<number> => {
      while (!text.includes(wanted)) {
        const isOver = await Promise.race([ended.then(() => true), once(child.stdout, 'data').then(() => false)]);
        if (isOver && !text.includes(wanted)) throw new Error(`${command} ended without "${wanted}":\n${text}`);
      }
      const end = text.indexOf(wanted) + wanted.length;
      return seen.find(({ length }) => length >= end)?.at ?? Number.POSITIVE_INFINITY;
    };
    return { child, ended, out: () => text, printed };
  }

  /** Runs a program to its end. Throws with its output if the program fails. */
  async function run(
    command: string,
    args: readonly string[],
    more?: Readonly<Record<string, string>>,
  ): Promise<string> {
    const running = start(command, args, more);
    const code = await running.ended;
    if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}\n${running.out()}`);
    return running.out();
  }

  return { folder, home, start, run, downloadedBytes: () => bytesIn(join(home, '.npm/_cacache/content-v2')) };
}

/** Bytes of all files below a folder. npm keeps every archive and every list of versions that it downloads in its cache. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0);
