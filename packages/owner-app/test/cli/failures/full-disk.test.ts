import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { createSession } from '../../ask.ts';
import { MAIN } from '../../child.ts';
import { newFolder } from '../../new-folder.ts';
import { runPeopleApp } from '../../people-app.ts';
import { KEY, runApp } from '../../running-app.ts';

/** Runs a line of bash, in which `parley` is the program. */
async function shell(line: string, url: string, environment: Record<string, string> = {}) {
  const script = `trap '' XFSZ; parley() { ${JSON.stringify(process.execPath)} ${JSON.stringify(MAIN)} "$@"; }; ${line}`;
  const env = { PATH: process.env.PATH ?? '', PARLEY_URL: url, PARLEY_OWNER_KEY: KEY, ...environment };
  const child = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [err] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'close')]);
  return { code: child.exitCode, err: err.trimEnd() };
}

const NOT_WRITTEN = 'parley: The output could not be written (ENOSPC: no space left on device, write).';

describe('a full disk', () => {
  test.each([
    [
      'invite S --role agent_a',
      ' The code in it is lost. To get another code, run parley invite again: the lost code then no longer works.',
    ],
    [
      'people add Ada --role viewer',
      ' The key in it is lost. Run parley people revoke for this person, then parley people add again.',
    ],
    ['view S --json', ''],
    ['export-log S', ''],
  ])('below the output of %s ends the command with an error that says what to do', async (command, next) => {
    const { url } = await runPeopleApp();
    const line = `parley ${command.replace('S', await createSession(url))} > /dev/full`;
    expect(await shell(line, url)).toEqual({ code: EXIT.REFUSED, err: NOT_WRITTEN + next });
  });

  test('that cuts the output of a command ends the command with an error', async () => {
    const { url } = await runApp();
    const [id, folder] = [await createSession(url), await newFolder()];
    const { code, err } = await shell(`ulimit -f 1; parley view ${id} --json > ${join(folder, 'view.json')}`, url);
    expect({ code, err }).toEqual({ code: EXIT.REFUSED, err: expect.stringContaining('could not be written (EFBIG') });
    expect((await stat(join(folder, 'view.json'))).size).toBe(1024);
  });

  test('that cuts a file of the command ends the command with an error, and leaves no part of the file', async () => {
    const { url } = await runApp();
    const [id, folder] = [await createSession(url), await newFolder()];
    const { code, err } = await shell(`ulimit -f 1; parley report ${id} --out ${join(folder, 'report.md')}`, url);
    expect({ code, err }).toEqual({
      code: EXIT.REFUSED,
      err: expect.stringMatching(/report\.md could not be written \(EFBIG/),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test('below the error too ends with the code of the error', async () => {
    const { url } = await runApp();
    expect(await shell('parley view pinv > /dev/full 2> /dev/full', url)).toEqual({ code: EXIT.REFUSED, err: '' });
  });
});

test('a reader that ends early is no error', async () => {
  const { url } = await runApp();
  const id = await createSession(url);
  expect(await shell(`parley view ${id} --json | true; exit \${PIPESTATUS[0]}`, url)).toEqual({ code: 0, err: '' });
});
