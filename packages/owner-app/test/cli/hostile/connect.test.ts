import { execFileSync } from 'node:child_process';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { listen } from '../../listen.ts';
import { newFolder } from '../../new-folder.ts';

const REDEEMED = {
  token: `prt_${'t'.repeat(60)}`,
  session_id: 's'.repeat(22),
  role: 'agent_a',
  expires_at: '2026-11-29T12:00:00.000Z',
};

interface Machine {
  readonly repository?: string;
  readonly client?: string;
}

/** Runs `parley connect --write` for a server that answers a redeemed code with these members. */
async function connectTo(answer: object, { repository, client = 'claude-code' }: Machine = {}) {
  const server = createServer((_request, response) => void response.end(JSON.stringify({ ...REDEEMED, ...answer })));
  const url = await listen(server);
  const [home, folder] = [await newFolder(), repository ?? (await newFolder())];
  const terminal = {
    ...fakeTerminal({ HOME: home, PATH: process.env.PATH ?? '', PARLEY_URL: url }),
    input: async () => 'pinv_x\n',
  };
  const exit = await runCli(['connect', '--for', client, '--write', '--folder', folder], terminal);
  const kept = await readdir(join(home, '.config', 'parley'));
  return { exit, err: terminal.errors(), kept, written: await readdir(folder) };
}

test.each([
  ['mcp_url', 'javascript:alert(1)'],
  ['mcp_url', 'file:///etc/passwd'],
  ['mcp_url', "http://127.0.0.1/\\';touch x;'"],
  ['mcp_url', 'http://127.0.0.1/$(touch x)'],
  ['mcp_url', 'http://user:password@127.0.0.1/'],
  ['base_url', 'http://127.0.0.1/"\n[mcp_servers.evil]'],
  ['session_id', '../../../tmp/x'],
  ['role', 'agent_a/../x'],
  ['token', 'prt_tttttttttttttttttttt\nexport PATH=x'],
  ['expires_at', '2026-11-29T12:00:00Z\ntouch x'],
])('connect refuses the %s %j of an answer, and writes nothing', async (member, value) => {
  expect(await connectTo({ [member]: value })).toEqual({
    exit: EXIT.REFUSED,
    err: expect.stringMatching(/^parley: The server at \S+ is not a Parley server\./),
    kept: [],
    written: [],
  });
});

test('connect runs no program that a bare repository inside of the repository names', async () => {
  const repository = await newFolder();
  execFileSync('git', ['init', '-q', '--bare', join(repository, '.codex')]);
  const [trap, sprung] = [join(repository, 'trap.sh'), join(repository, 'sprung')];
  await writeFile(trap, `#!/bin/sh\ntouch '${sprung}'\n`);
  await chmod(trap, 0o755);
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', join(repository, '.codex'), ...args]);
  git('config', 'core.bare', 'false');
  git('config', 'core.worktree', join(repository, '.codex'));
  git('config', 'core.fsmonitor', trap);
  const server = await connectTo({}, { repository, client: 'codex' });
  expect(server).toMatchObject({ exit: EXIT.OK, err: '' });
  expect(server.written).not.toContain('sprung');
});
