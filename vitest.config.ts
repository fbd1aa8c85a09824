import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HARDENING } from './scripts/hardening.ts';
import { POSTGRES, vitestProject } from './scripts/vitest-project.ts';

const packages = readdirSync(new URL('packages', import.meta.url));
/** Folders without a package of their own. They are one project, so that their files share the modules that they load. */
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

/** What `npm test` runs. What takes longer has commands of its own: `vitest.hardening.config.ts` and those below `test`. */
export default defineConfig({
  test: {
    // The default is one worker on two cores; many files wait for a database, a child process or a real second.
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
