import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HARDENING, refuseLongTests } from './scripts/vitest/hardening.ts';
import { POSTGRES, vitestProject } from './scripts/vitest/vitest-project.ts';

const packages = readdirSync(new URL('packages', import.meta.url));
const UNITS = ['core', 'mcp-host', 'missions'];

const STORIES = [
  ...packages.filter((name) => !UNITS.includes(name)).map((name) => `packages/${name}/test`),
  'test/scenarios',
  'test/http/wire',
  'test/http/hostile',
  'test/workspace',
  'test/reliability/memory',
  'test/reliability/soak',
  'test/reliability/torture',
  'bench/test',
  'examples/*/test',
];

refuseLongTests(process.argv);

/**
 * The tests that `npm test` runs. Longer tests have their own commands: see `vitest.hardening.config.ts` and the folders
 * below `test`. There are two projects, and not a project for each folder, because each project compiles and loads the
 * sources again. The tests of `units` need no PostgreSQL.
 */
export default defineConfig({
  test: {
    // One worker more than the machine has processors, because many test files wait for a database, a child process or
    // the clock.
    maxWorkers: availableParallelism() + 1,
    projects: [
      vitestProject(
        'units',
        UNITS.map((name) => `packages/${name}/test`),
        { without: HARDENING },
      ),
      vitestProject('stories', STORIES, { without: HARDENING, globalSetup: [POSTGRES] }),
    ],
  },
});
