import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParley } from '@parley/core';
import { createTestClock } from '@parley/core/testing';
import { createPgliteStorage } from '@parley/storage-pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fillPgliteFolder } from '../../../storage-pg/test/pglite/pglite-template.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { OWNER_ID } from '../../src/server/owner-app.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { SESSION } from '../running-app.ts';

/** Creates a data folder whose only session ended in January 2020. */
async function played() {
  const data = await mkdtemp(join(tmpdir(), 'parley-retain-cli-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  await fillPgliteFolder(join(data, 'pg'));
  const storage = await createPgliteStorage({ folder: join(data, 'pg') });
  const parley = await createParley({ storage, clock: createTestClock('2020-01-05T09:00:00.000Z') });
  const owner = parley.owner(OWNER_ID);
  const { session_id } = await owner.createSession(SESSION);
  await owner.end(session_id, { end_reason: 'COMPLETED' });
  await parley.close();
  await storage.close();
  const folder = join(data, 'archive');
  const run = async (...args: readonly string[]) => {
    const terminal = fakeTerminal({ PARLEY_DATA: data }, 140);
    const code = await runCli(['retain', ...args], terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  return { folder, run, session_id, given: ['--retain-days', '365', '--retain-to', folder] };
}

describe('parley retain', () => {
  test('lists what is due with --dry-run, then exports and erases it, then finds nothing', async () => {
    const { run, given, session_id, folder } = await played();
    const dry = await run(...given, '--dry-run');
    expect(dry.code).toBe(EXIT.OK);
    expect(dry.out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['session', 'ended', 'title', 'what'],
      [session_id, '2020-01-05 09:00 UTC', 'Refunds', 'would be erased'],
    ]);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    const { code, out } = await run(...given, '--json');
    expect(code).toBe(EXIT.OK);
    const erased = { session_id, title: 'Refunds', ended_at: '2020-01-05T09:00:00.000Z', outcome: 'erased' };
    expect(JSON.parse(out)).toEqual({ sessions: [erased], dry_run: false });
    expect(await readdir(folder)).toHaveLength(3);
    expect(await run(...given)).toMatchObject({ code: EXIT.OK, out: 'No session was due.' });
  });

  test('checks the folder with --check, and looks at no session', async () => {
    const { run, given, folder } = await played();
    const file = join(folder, 'parley-check.txt');
    expect(await run(...given, '--check')).toMatchObject({ code: EXIT.OK, out: `${file} was written and read back.` });
    expect(await readdir(folder)).toEqual(['parley-check.txt']);
    expect((await run(...given, '--check', '--dry-run')).code).toBe(EXIT.USAGE);
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    expect(await run(...given, '--check')).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringContaining(`The folder ${folder} cannot be written (EEXIST).`),
    });
  });

  test('erases nothing without the settings', async () => {
    const { run } = await played();
    expect(await run()).toMatchObject({
      code: EXIT.USAGE,
      err: expect.stringContaining('Set PARLEY_RETAIN_DAYS'),
    });
    expect(await run('--retain-days', '1')).toMatchObject({ code: EXIT.USAGE });
  });
});
