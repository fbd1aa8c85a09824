import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCommand } from '../../../src/cli/verify/run-command.ts';
import { SETTINGS } from '../../../src/server/settings/environment.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';

const TOKEN = 'token-of-this-agent-0123456789';
const PASSWORD = 'Vq7tR2x9Lm';
/** The settings of a service that are secret. Addresses may be those of the program under test. */
const SECRETS = SETTINGS.filter(
  ({ variable, isSecret }) => isSecret && variable.startsWith('PARLEY_') && !variable.endsWith('_URL'),
).map(({ variable }) => variable);

/** The end of the output of a script that the evidence contains. */
async function outputOf(script: string): Promise<string> {
  const environment = {
    PARLEY_TOKEN: TOKEN,
    ...Object.fromEntries(SECRETS.map((name) => [name, 'first-word second-word'])),
    PARLEY_URL: 'http://127.0.0.1:1',
    DATABASE: `postgres://app:${PASSWORD}@127.0.0.1/orders`,
  };
  const terminal = fakeTerminal(environment);
  return (await runCommand(terminal, await newFolder(), [process.execPath, '--eval', script])).output;
}

test('the command gets the environment without the keys, secrets and tokens of Parley', async () => {
  expect(SECRETS).toContain('PARLEY_CERTIFICATE_KEYS');
  const names = JSON.stringify(['PARLEY_TOKEN', 'PARLEY_URL', ...SECRETS]);
  expect(await outputOf(`console.log(${names}.filter((name) => process.env[name]).join())`)).toBe('PARLEY_URL');
});

test('secrets of the environment are masked in the kept output, also in colours and where it is cut', async () => {
  expect(await outputOf(`console.log('with ${TOKEN} and', '${PASSWORD}'); console.error('${TOKEN}')`)).not.toContain(
    PASSWORD,
  );
  expect(await outputOf(`console.log('a token-of-\\x1b[1mthis-agent-0123456789 b')`)).toBe('a *** b');
  expect(await outputOf(`console.log('a first-word')`)).toBe('a ***');
  // The cut is in the middle of the token: its second half is no secret that anything knows.
  expect(await outputOf(`console.log('x'.repeat(100), '${TOKEN}' + 'y '.repeat(993))`)).not.toContain('0123456789');
});

test('a signal is passed to the command and all that it started, and the run is given up', async () => {
  const folder = await newFolder();
  const inner = `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1_000)`;
  const script = `require('child_process').spawnSync(process.execPath, ['--eval', ${JSON.stringify(inner)}])`;
  const running = runCommand({ ...fakeTerminal() }, folder, [process.execPath, '--eval', script]);
  const gaveUp = expect(running).rejects.toMatchObject({
    exitCode: EXIT.REFUSED,
    message: 'SIGHUP has ended the run. Nothing was sent.',
  });
  const pid = async () => Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''));
  await expect.poll(pid, { timeout: 10_000 }).toBeGreaterThan(0);
  process.emit('SIGHUP', 'SIGHUP');
  await gaveUp;
  const started = await pid();
  await expect.poll(() => isAlive(started), { timeout: 10_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('the command ends with this process, such as after the reader of a pipe has ended', async () => {
  const before = new Set(process.listeners('exit'));
  const script = 'setInterval(() => {}, 1_000)';
  const running = runCommand(fakeTerminal(), await newFolder(), [process.execPath, '--eval', script]);
  const added = process.listeners('exit').filter((listener) => !before.has(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) listener.call(process, 0);
  expect(await running).toMatchObject({ exit_code: null, signal: 'SIGTERM' });
  expect(process.listeners('exit')).not.toContain(added[0]);
});

test('output that cannot be written ends the command, and the run is given up', async () => {
  const terminal = { ...fakeTerminal(), write: () => Promise.reject(new Error('the disk is full')) };
  const script = `setInterval(() => console.log('again'), 10)`;
  await expect(runCommand(terminal, await newFolder(), [process.execPath, '--eval', script])).rejects.toThrow(
    'the disk is full',
  );
});

test('what is printed to stderr without lines is shown before the command ends', async () => {
  const lines: string[] = [];
  const terminal = { ...fakeTerminal(), err: (line: string) => void lines.push(line) };
  const script = `process.stderr.write('word '.repeat(40_000))`;
  await runCommand(terminal, await newFolder(), [process.execPath, '--eval', script]);
  expect(lines.join('')).toBe('word '.repeat(40_000));
  expect(lines.length).toBeGreaterThan(1);
});

test('output without lines is cut before a word, and left out if it is one word', async () => {
  const cut = await outputOf(`process.stdout.write('first '.repeat(1_000) + 'last')`);
  expect(cut).toMatch(/^(?:first )+last$/);
  expect(cut.length).toBeGreaterThan(1_900);
  expect(await outputOf(`process.stdout.write('x'.repeat(5_000))`)).toBe('');
  expect(
    await outputOf(`process.stdout.write('x'.repeat(5_000) + String.fromCharCode(27) + '[1m'.repeat(20_000))`),
  ).toBe('');
});

test('the start of what was kept is a cut too, if most of it are control sequences', async () => {
  const colours = `(String.fromCharCode(27) + '[1m').repeat(7_990)`;
  expect(await outputOf(`process.stdout.write('x'.repeat(9_000) + ' word' + ${colours} + ' end')`)).toBe('word end');
});
