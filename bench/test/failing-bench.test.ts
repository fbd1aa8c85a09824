import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, test } from 'vitest';

const RUN = fileURLToPath(new URL('support/failing-run.mjs', import.meta.url));
const TSC = 'node_modules/typescript/bin/tsc';

/** Runs `failing-run.mjs` in a new process group, and sends `signal` to it once its servers have started. */
async function run(signal?: NodeJS.Signals) {
  const child = spawn(process.execPath, [RUN], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  // `failing-run.mjs` prints a data folder when the servers of a bench have started.
  if (signal) child.stdout.on('data', (part) => String(part).includes('data: ') && child.kill(signal));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  const folders = [...out.matchAll(/^data: (.+)$/gm)].map(([, folder = '']) => folder);
  return { code, out, err, folders, group: child.pid ?? 0 };
}

const isAlive = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
};

describe.skipIf(inject('databaseUrl') === null)('a run with benches that fail', () => {
  let ended: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    // Compiles the benches, because their servers run in plain Node.
    execFileSync(process.execPath, [TSC, '-b', 'bench'], { stdio: 'inherit' });
    ended = await run();
  });

  test('ends with status 1', () => expect(ended.code).toBe(1));

  test('says at its end which benches failed, and why', () => {
    const [refused, cut, ...others] = ended.err.split('\n').filter((line) => line.startsWith('FAILED '));
    expect(refused).toMatch(/^FAILED refused: The server answered 401: \{/);
    expect(cut).toMatch(
      /^FAILED cut: (?:The server closed the connection\.|read ECONNRESET|write EPIPE|connect ECONNREFUSED [\d.:]+|floor-server ended with 1\.|The server answered 500: .*)$/,
    );
    expect(others).toEqual([]);
  });

  test('prints the tables of the others, and saves every outcome', () => {
    expect(ended.out.match(/^requests +20\.00 \/s/gm)).toBe(null);
    expect(ended.out.match(/^ {2}requests +20\.00 \/s +20\.00 \/s +1\.00 ×/gm)).toHaveLength(2);
    expect(ended.out.match(/^saved: .*$/gm)?.map((line) => line.split(', ').slice(0, 2).join(', '))).toEqual([
      'saved: good, 1',
      'saved: refused, 0',
      'saved: cut, 0',
      'saved: good, 1',
    ]);
  });

  test('leaves no process and no folder behind', () => {
    expect(isAlive(ended.group)).toBe(false);
    expect(ended.folders).toHaveLength(2);
    expect(ended.folders.filter((folder) => existsSync(folder))).toEqual([]);
  });

  test('leaves nothing behind either when a signal ends it', async () => {
    const { code, err, group, folders } = await run('SIGTERM');
    expect(code).toBe(1);
    expect(err).toContain('skipped after SIGTERM');
    expect(isAlive(group)).toBe(false);
    expect(folders).toHaveLength(1);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  });
});
