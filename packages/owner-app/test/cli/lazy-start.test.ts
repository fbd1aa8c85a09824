import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commands } from '../../src/cli/flags/reference.ts';
import { describeCommands } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp } from '../running-app.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Runs one command line in a separate module loader. Returns the loaded modules, as paths below the root. */
async function modulesOf(args: readonly string[], terminal: Terminal): Promise<string[]> {
  const sources = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  });
  onTestFinished(() => sources.close());
  const { runCli } = await sources.ssrLoadModule('/packages/owner-app/src/cli/program.ts');
  await runCli(args, terminal);
  const loaded = [...sources.moduleGraph.idToModuleMap.values()].filter(({ ssrModule }) => ssrModule);
  const own = loaded.flatMap(({ file }) => file?.slice(root.length) ?? []);
  const external = loaded
    .flatMap(({ ssrTransformResult }) => ssrTransformResult?.deps ?? [])
    .filter((name) => /^[@a-z]/.test(name));
  return [...new Set([...own, ...external])];
}

/** Modules of core but its client and those that read JSON or name routes, and zod, which core loads. */
const isHeavy = (module: string): boolean =>
  (module.startsWith('packages/core/') &&
    !/^packages\/core\/src\/(client\/|json\.ts|text\.ts|routes\.ts|areas\/(route-table|session\/owner-waits\/wait-kinds)\.ts|kernel\/(text\/|(limits|errors|clock|storage\/storage)\.ts))/.test(
      module,
    )) ||
  module === 'zod';

describe('the start of parley', () => {
  test('loads core and its 200 modules and more for an operation, which proves that this test detects them', async () => {
    const loaded = await modulesOf(['authorize', '--help'], fakeTerminal());
    expect(loaded.filter(isHeavy).length).toBeGreaterThan(200);
    expect(loaded).toContain('zod');
  });

  test.each([[['--help']], [['--version']], [['no-such-command']]])('loads few modules for %j', async (args) => {
    const loaded = await modulesOf(args, fakeTerminal());
    expect(loaded.filter(isHeavy)).toEqual([]);
    expect(loaded.length).toBeLessThan(45);
  });

  test.each([[['waiting']], [['sessions']]])('loads neither core nor zod for %j', async (args) => {
    const { url } = await runApp();
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    const loaded = await modulesOf(args, terminal);
    expect(terminal.output()).not.toBe('');
    expect(terminal.errors()).toBe('');
    expect(loaded.filter(isHeavy)).toEqual([]);
    expect(loaded.length).toBeLessThan(105);
  });
});

test('the generated list of commands is up to date', async () => {
  expect(commands()).toEqual(JSON.parse(JSON.stringify(await describeCommands())));
});
