import { readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';

test('parley run --demo plays a mission to its end and prints a line for each run', async () => {
  const terminal = fakeTerminal({ PATH: process.env.PATH ?? '' });
  expect(await runCli(['run', '--demo'], terminal)).toBe(0);
  const shown = terminal.output();
  expect(terminal.errors()).toBe('');
  expect(shown).toMatch(/^agent_a {2}run 1: PLANNING, \d+ post_turn: /m);
  expect(shown).toMatch(/^agent_b {2}run 1: PLANNING, /m);
  expect(shown).toMatch(/^owner {4}approveContract$/m);
  expect(shown).toMatch(
    /^The session is ENDED in RELEASE: 5 turns, the contract by agent_b,\n6 of 6 scenarios passed, certified\.$/m,
  );
  for (const role of ['agent_a', 'agent_b']) {
    const [, runs = '', calls = '', log = ''] =
      new RegExp(
        `^${role}: (\\d+) runs, (\\d+) calls; its program was not running for [\\d.]+ s of [\\d.]+ s\\. Its output is in\n {2}(.+)$`,
        'm',
      ).exec(shown) ?? [];
    onTestFinished(() => rm(dirname(log), { recursive: true, force: true }));
    expect(shown.match(new RegExp(`^${role} {2}run \\d+: `, 'gm'))).toHaveLength(Number(runs));
    const made = (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(made).toHaveLength(Number(calls));
    expect(made.filter(({ is_error }) => is_error)).toEqual([]);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
  }
});

test.each([['pinv_unused'], ['--for', 'codex'], ['--command', 'true']])(
  'parley run --demo refuses %s',
  async (...given) => {
    const terminal = fakeTerminal();
    expect(await runCli(['run', '--demo', ...given], terminal)).toBe(2);
    expect(terminal.errors()).toContain(
      '--demo cannot be combined with a code, --for or --command. No invitation code was used.',
    );
  },
);
