import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { joinLines } from '../../packages/owner-app/src/text/joining.ts';
import { MAIN } from '../../packages/owner-app/test/child.ts';
import { PARLEY_CLAUDE, PARLEY_CODEX } from './client-machine.ts';

const { PARLEY_GEMINI } = process.env;

/** Runs a program of a client with an empty HOME, and returns its output. Throws with the output if it fails. */
function machine({ atHome = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'parley-plugins-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return (program = '', ...args: readonly string[]): string => {
    const cwd = atHome ? home : process.cwd();
    const env = { HOME: home, PATH: process.env.PATH };
    const { status, stdout, stderr } = spawnSync(program, args, { env, cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status}\n${stdout}${stderr}`);
    return stdout + stderr;
  };
}

test.skipIf(!PARLEY_CLAUDE)('Claude Code takes the marketplace, installs the plugin, and finds its parts', () => {
  const run = machine();
  for (const folder of ['.', 'plugins/parley'])
    expect(run(PARLEY_CLAUDE, 'plugin', 'validate', folder)).toContain('Validation passed');
  run(PARLEY_CLAUDE, 'plugin', 'marketplace', 'add', process.cwd());
  run(PARLEY_CLAUDE, 'plugin', 'install', 'parley@parley');
  expect(run(PARLEY_CLAUDE, 'plugin', 'list')).toMatch(/parley@parley[\s\S]*enabled/);
});

test.skipIf(!PARLEY_CODEX)('Codex takes the marketplace and installs the plugin', () => {
  const run = machine();
  run(PARLEY_CODEX, 'plugin', 'marketplace', 'add', process.cwd());
  run(PARLEY_CODEX, 'plugin', 'add', 'parley@parley');
  expect(run(PARLEY_CODEX, 'plugin', 'list')).toMatch(/parley@parley +installed, enabled/);
});

test.skipIf(!PARLEY_GEMINI)('Gemini CLI takes the extension', () => {
  expect(machine()(PARLEY_GEMINI, 'extensions', 'validate', '.')).toContain('successfully validated');
});

test.each([
  ['Claude Code', 'claude', PARLEY_CLAUDE, /^parley: .+ - ✔ Connected$/m],
  ['Codex CLI', 'codex', PARLEY_CODEX, /^parley +node +.+ mcp --url http:\/\/127\.0\.0\.1:4100 .+enabled/m],
  // Gemini connects to no server in a folder that nobody trusts.
  ['Gemini CLI', 'gemini', PARLEY_GEMINI, /parley: node .+ mcp --url http:\/\/127\.0\.0\.1:4100 \(stdio\)/],
] as const)('%s takes the line of an invitation', (client, name, program, listed) => {
  if (!program) return;
  const run = machine({ atHome: true });
  const { line = '' } =
    joinLines({ url: 'http://127.0.0.1:4100', program: ['node', MAIN] }).find((one) => one.client === client) ?? {};
  expect(line).toMatch(new RegExp(`^${name} mcp add `));
  run(program, ...line.split(' ').slice(1));
  expect(run(program, 'mcp', 'list')).toMatch(listed);
});
