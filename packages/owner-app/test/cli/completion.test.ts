import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { describeCommands, runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';

const IN_PACKAGE = { cwd: new URL('../..', import.meta.url) };

const runIn = (shell: string, ...args: readonly string[]) => spawnSync(shell, args, IN_PACKAGE);

const isThere = (shell: string): boolean => runIn(shell, '--version').status === 0;

async function scriptFor(shell: string): Promise<string> {
  const terminal = fakeTerminal();
  expect(await runCli(['completion', shell], terminal)).toBe(EXIT.OK);
  const file = join(await newFolder(), `parley.${shell}`);
  await writeFile(file, `${terminal.output()}\n`);
  return file;
}

/** The words of a command line before the cursor, and the expected completions of the last word. */
const TYPED: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['mod'], ['moderator-entitlement']],
  [['migrate', 'st'], ['status']],
  [
    ['connect', 'CODE', '--for', 'c'],
    ['claude-code', 'codex', 'cursor', 'curl'],
  ],
  [['invite', 'SESSION', '--ro'], ['--role']],
  [
    ['invite', 'SESSION', '--role', ''],
    ['agent_a', 'agent_b', 'moderator'],
  ],
  [
    ['serve', '--path-tokens', ''],
    ['on', 'off'],
  ],
  [['ask', 'SESSION', '--text', ''], []],
  [['serve', '--hosts', ''], []],
  [['verify-log', 'package.js'], ['package.json']],
];

describe('parley completion', () => {
  test('for bash completes commands, flags and their words', async () => {
    const script = await scriptFor('bash');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands the variables.
    const show = 'COMP_CWORD=$(($#)); COMP_WORDS=(parley "$@"); _parley; echo "${COMPREPLY[*]}"';
    const lines = [
      ...TYPED,
      [['ask', 'S', '--targets', 'agent_a,agent_b'], ['agent_a,agent_b']],
      [['ask', 'S', '--priority', '=', 'H'], ['HIGH']],
    ] as const;
    const calls = lines.map(([words]) => `t ${words.map((word) => `'${word}'`).join(' ')}`);
    const { stdout, stderr } = runIn('bash', '-c', `source ${script}; t() { ${show}; }; ${calls.join('; ')}`);
    expect(stderr.toString()).toBe('');
    expect(stdout.toString().split('\n').slice(0, -1)).toEqual(lines.map(([, words]) => words.join(' ')));
  });

  test.skipIf(!isThere('fish'))('for fish does the same', async () => {
    const script = await scriptFor('fish');
    const asked = TYPED.map(
      ([words]) => `complete -C 'parley ${words.join(' ')}' | string split -f1 \\t | sort | string join ' '; echo`,
    );
    const { stdout } = runIn('fish', '--no-config', '-c', `source ${script}; ${asked.join('; ')}`);
    const found = stdout.toString().split('\n').filter(Boolean);
    expect(found).toEqual(TYPED.filter(([, words]) => words.length > 0).map(([, words]) => words.toSorted().join(' ')));
  });

  test.skipIf(!isThere('zsh'))('for zsh is a script that loads', async () => {
    const script = await scriptFor('zsh');
    const load = `autoload -U compinit && compinit -u -D; source ${script}; echo $_comps[parley]`;
    expect(runIn('zsh', '-f', '-c', load).stdout.toString()).toBe('_parley\n');
  });
});

const described = await describeCommands();

describe('every command', () => {
  test.each(described)('$name has an example in its help, and --json if it calls the server', (command) => {
    expect(command.more).toMatch(new RegExp(`^Examples?:\n.*parley ${command.name}\\b`, 's'));
    const plain = ['serve', 'export-log', 'completion', 'hook', 'mcp', 'verify', 'run'];
    expect(command.flags.some(({ flag }) => flag === '--json')).toBe(!plain.includes(command.name));
  });

  test('has a unique name', () => {
    const names = described.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['serve', 'connect', 'waiting', 'release-hold', 'backup', 'completion']),
    );
  });
});
