import { execFileSync } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallTool, loadMission, PARTS, runMission } from '@parley/missions';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, runApp } from '../running-app.ts';

/** A repository with two commits: the second adds two files, changes README.md, and renames code.ts. */
async function repository() {
  const folder = await newFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args], {
      encoding: 'utf8',
    }).trim();
  const commit = (message: string): string => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  await writeFile(join(folder, 'README.md'), 'One');
  await writeFile(join(folder, 'code.ts'), 'code');
  const first = commit('One');
  await writeFile(join(folder, 'README.md'), 'Two');
  await mkdir(join(folder, 'test'));
  await writeFile(join(folder, 'test', 'ä "new".ts'), 'test');
  await rename(join(folder, 'code.ts'), join(folder, 'core.ts'));
  const second = commit('Two');
  return { folder, first, second, commit, git };
}

async function run(args: readonly string[], url = 'http://127.0.0.1:9') {
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
  const code = await runCli(['commit-changes', ...args], terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
}

const PATHS = ['README.md', 'code.ts', 'core.ts', 'test/ä "new".ts'];

test('prints the paths that differ from each commit, as a handshake declares them', async () => {
  const { folder, first, second } = await repository();
  const { code, out } = await run([first.slice(0, 9), 'HEAD~0', '--folder', folder]);
  expect([code, JSON.parse(out)]).toEqual([EXIT.OK, { [first]: PATHS, [second]: [] }]);
});

test('refuses a commit that the repository does not have, and more paths than a handshake declares', async () => {
  const { folder, first, commit } = await repository();
  expect(await run(['f'.repeat(40), '--folder', folder])).toMatchObject({
    code: EXIT.USAGE,
    err: expect.stringContaining(`has no commit ${'f'.repeat(40)}. Fetch it first.`),
  });
  expect(await run(['--folder', folder])).toMatchObject({ code: EXIT.USAGE });
  for (let file = 0; file < 201; file += 1) await writeFile(join(folder, `file-${file}`), '');
  commit('Many');
  expect(await run([first, '--folder', folder])).toMatchObject({
    code: EXIT.REFUSED,
    err: expect.stringContaining('205 paths differ'),
  });
});

describe('a hostile repository hides no path', () => {
  test('behind a branch or tag that is named like the commit', async () => {
    const { folder, first, second, git } = await repository();
    git('tag', first.slice(0, 9), second);
    expect(await run([first.slice(0, 9), '--folder', folder])).toMatchObject({
      code: EXIT.USAGE,
      err: expect.stringContaining(`names ${first.slice(0, 9)}, but is another commit: ${second}`),
    });
  });

  test('in a submodule whose changes are ignored', async () => {
    const { folder, git } = await repository();
    const submodule = (id: string) => git('update-index', '--add', '--cacheinfo', `160000,${id},lib`);
    await writeFile(join(folder, '.gitmodules'), '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n\tignore = all\n');
    submodule('a'.repeat(40));
    git('commit', '--quiet', '--message', 'A submodule');
    const before = git('rev-parse', 'HEAD');
    submodule('b'.repeat(40));
    git('commit', '--quiet', '--message', 'Another commit of the submodule');
    expect(JSON.parse((await run([before, '--folder', folder])).out)).toEqual({ [before]: ['lib'] });
  });

  test('outside the folder from which it is called, or behind a replaced commit', async () => {
    const { folder, first, second, git } = await repository();
    git('config', 'diff.relative', 'true');
    expect(JSON.parse((await run([first, '--folder', join(folder, 'test')])).out)).toEqual({ [first]: PATHS });
    git('replace', first, second);
    expect(JSON.parse((await run([first, '--folder', folder])).out)).toEqual({ [first]: PATHS });
  });

  test('in another repository that the environment names', async () => {
    const { folder, first } = await repository();
    const other = await newFolder();
    execFileSync('git', ['init', '--quiet', other]);
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(JSON.parse((await run([first, '--folder', folder])).out)).toEqual({ [first]: PATHS });
  });
});

test('compares with git what a handshake declares, and names a path that it hides', async () => {
  const { folder, first, second } = await repository();
  const { url, parley } = await runApp();
  const mission = await loadMission('payment-capture');
  let isOver = false;
  const parts = PARTS.map((part) => [
    part,
    mission[part].filter(({ call }) => {
      isOver ||= call === 'authorize' && part === 'verification';
      return !isOver;
    }),
  ]);
  const { sessionId, agents } = await runMission(
    { ...mission, ...Object.fromEntries(parts) },
    {
      owner: parley.owner('owner'),
      agents: async ({ code }) => parley.agent((await parley.redeem({ code })).token).call as CallTool,
    },
  );
  const declare = (changes: object) =>
    agents.agent_a('verify_handshake', {
      ...{ service: 'orders', version: '2', environment: 'staging', ready: true, dependencies_healthy: true },
      ...{ commit: second, changes },
    });
  const compare = () => run(['--of', sessionId, '--role', 'agent_a', '--folder', folder], url);
  await declare({});
  expect(await compare()).toMatchObject({ code: EXIT.REFUSED });
  await declare({ [first]: PATHS });
  expect(await compare()).toMatchObject({ code: EXIT.OK, out: '✔ git has exactly the paths that agent_a declares' });
  await declare({ [first]: ['README.md', 'docs.md'] });
  const { code, out } = await compare();
  expect([code, out.split('\n')]).toEqual([
    EXIT.MISMATCH,
    [
      `✘ agent_a: changed since ${first.slice(0, 12)} and not declared: code.ts`,
      `✘ agent_a: changed since ${first.slice(0, 12)} and not declared: core.ts`,
      `✘ agent_a: changed since ${first.slice(0, 12)} and not declared: test/ä "new".ts`,
      `✘ agent_a: declared, and not changed since ${first.slice(0, 12)}: docs.md`,
    ],
  ]);
});
