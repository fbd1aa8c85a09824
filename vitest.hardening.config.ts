import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LONG_STORIES, LONG_WALKS, REPLACING } from './scripts/vitest/hardening.ts';
import { LONG_HANG_GUARD as guard, HOST_PROGRAMS, POSTGRES, vitestProject } from './scripts/vitest/vitest-project.ts';

/**
 * The tests that `pnpm test:hardening` runs: odd and generated requests, the search for secrets in all outputs, long
 * random walks through models, the long tests in `LONG_STORIES` and `REPLACING`, and the tests that start several processes.
 */
export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 1,
    projects: [
      vitestProject('oddities', ['test/http/oddities']),
      vitestProject('fuzz', ['test/http/fuzz'], { guard, globalSetup: [POSTGRES] }),
      vitestProject('redaction', ['test/http/redaction'], { guard, globalSetup: [POSTGRES] }),
      vitestProject('models', LONG_WALKS, { guard }),
      vitestProject('stories', LONG_STORIES, { guard, globalSetup: [POSTGRES] }),
      vitestProject('replacing', REPLACING, { guard, isolate: true }),
      vitestProject('simulation', ['test/reliability/simulation'], { guard }),
      vitestProject('processes', ['test/reliability/processes'], {
        guard,
        globalSetup: [POSTGRES, HOST_PROGRAMS],
      }),
    ],
  },
});
