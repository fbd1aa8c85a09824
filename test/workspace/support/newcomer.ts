import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compileProgram } from '../../../scripts/compile-program.ts';

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The folder of a user who has installed the packages and copies the code of a document into it. */
export interface Newcomer {
  readonly folder: string;
  program(code: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Runs lines of bash. Stops at the first failure. */
  shell(code: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
  tests(code: string): Promise<Outcome>;
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  leave(): void;
}

const SOURCE_CONDITIONS = ['@parley/source', 'node', 'development|production'];

/** Creates the folder. `commands` maps a command to the shell script that replaces it. */
export function createNewcomer(commands: Readonly<Record<string, string>> = {}): Newcomer {
  const folder = mkdtempSync(join(tmpdir(), 'parley-newcomer-'));
  install(folder);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, body] of Object.entries(commands)) writeScript(join(bin, name), body);
  const run: Newcomer['run'] = (command, args, env = {}) =>
    runChild(command, args, {
      cwd: folder,
      env: { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: folder, ...env },
    });
  let written = 0;
  const write = (name: string, code: string): string => {
    written += 1;
    const file = join(folder, `${written}-${name}`);
    writeFileSync(file, code);
    return file;
  };
  return {
    folder,
    run,
    async program(code, env) {
      const file = write('program.mjs', code);
      // Compiles a program that imports the packages: they are perhaps not built, and Node cannot run their TypeScript.
      if (!code.includes("'@parley/")) return await run(process.execPath, [file], env);
      const compiled = await compileProgram(file, 'newcomer');
      return await run(process.execPath, [compiled], env);
    },
    shell: (code, env) => run('bash', ['-euo', 'pipefail', '-c', code], env),
    async tests(code) {
      const config = write('vitest.config.mjs', configOf());
      const file = write('block.test.js', code);
      const args = ['run', '--config', config, '--root', folder, '--no-color', '--pool', 'threads', file];
      return run(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), ...args]);
    },
    leave: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function install(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@parley'), { recursive: true });
  for (const name of readdirSync('packages')) symlinkSync(resolve('packages', name), join(modules, '@parley', name));
  symlinkSync(resolve('packages/mcp-host/node_modules/@modelcontextprotocol'), join(modules, '@modelcontextprotocol'));
  symlinkSync(resolve('node_modules/vitest'), join(modules, 'vitest'));
  symlinkSync(resolve('packages/owner-app/node_modules/koa'), join(modules, 'koa'));
  for (const name of ['express', 'fastify']) symlinkSync(resolve('node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

const configOf = (): string =>
  `export default { ssr: { resolve: { conditions: ${JSON.stringify(SOURCE_CONDITIONS)} } } };\n`;

function writeScript(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

async function runChild(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Outcome> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  await once(child, 'close');
  return { code: child.exitCode, out, err };
}
