import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { HARDENING } from './scripts/hardening.ts';
import { POSTGRES, vitestProject } from './scripts/vitest-project.ts';

const packages = readdirSync(new URL('packages', import.meta.url));
const onPostgres = { without: HARDENING, globalSetup: [POSTGRES] };

/** What `npm test` runs. What takes longer has commands of its own: `vitest.hardening.config.ts` and those below `test`. */
export default defineConfig({
  test: {
    // The default is one worker on two cores; many files wait for a database, a child process or a real second.
    maxWorkers: availableParallelism() + 1,
    projects: [
      ...packages.map((name) =>
        vitestProject(name, [`packages/${name}/test`], {
          // One file of storage-pg puts a failing disk below the module that others have loaded.
          isolate: name === 'storage-pg',
          without: HARDENING,
          globalSetup: ['http-host', 'owner-app', 'storage-pg'].includes(name) ? [POSTGRES] : [],
        }),
      ),
      vitestProject('scenarios', ['test/scenarios'], onPostgres),
      vitestProject('wire', ['test/http/wire'], onPostgres),
      vitestProject('hostile', ['test/http/hostile']),
      vitestProject('workspace', ['test/workspace'], onPostgres),
      vitestProject('bench', ['bench/test']),
      vitestProject('torture', ['test/reliability/torture', 'test/reliability/soak', 'test/reliability/memory']),
      vitestProject('examples', ['examples/*/test'], onPostgres),
    ],
  },
});
