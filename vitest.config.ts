import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HARDENING } from './scripts/hardening.ts';
import { vitestProject } from './scripts/vitest-project.ts';

const packages = readdirSync(new URL('packages', import.meta.url));

/** What `npm test` runs. What takes longer has commands of its own: `vitest.hardening.config.ts` and those below `test`. */
export default defineConfig({
  test: {
    globalSetup: './scripts/postgres.global-setup.ts',
    // The default is one worker on two cores; many files wait for a database, a child process or a real second.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // One file of storage-pg puts a failing disk below the module that others have loaded.
      ...packages.map((name) =>
        vitestProject(name, [`packages/${name}/test`], { isolate: name === 'storage-pg', without: HARDENING }),
      ),
      vitestProject('scenarios', ['test/scenarios'], { without: HARDENING }),
      vitestProject('wire', ['test/http/wire'], { without: HARDENING }),
      vitestProject('hostile', ['test/http/hostile']),
      vitestProject('workspace', ['test/workspace']),
      vitestProject('bench', ['bench/test']),
      vitestProject('torture', ['test/reliability/torture', 'test/reliability/soak', 'test/reliability/memory']),
      vitestProject('examples', ['examples/*/test']),
    ],
  },
});
