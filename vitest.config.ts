import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HARDENING } from './scripts/vitest/hardening.ts';
import { POSTGRES, vitestProject } from './scripts/vitest/vitest-project.ts';

const packages = readdirSync(new URL('packages', import.meta.url));
/**
 * Folders of tests that belong to no package. They form one vitest project, so that their files share the modules that they
 * load.
 */
const STORIES = [
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

/**
 * The tests that `npm test` runs. Longer tests have their own commands: see `vitest.hardening.config.ts` and the folders
 * below `test`.
 */
export default defineConfig({
  test: {
    // One worker more than the default on two cores, because many test files wait for a database, a child process or the
    // clock.
    maxWorkers: availableParallelism() + 1,
    projects: [
      ...packages.map((name) =>
        vitestProject(name, [`packages/${name}/test`], {
          without: HARDENING,
          globalSetup: ['http-host', 'owner-app', 'storage-pg'].includes(name) ? [POSTGRES] : [],
        }),
      ),
      vitestProject('stories', STORIES, { without: HARDENING, globalSetup: [POSTGRES] }),
    ],
  },
});
