import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LONG_STORIES, LONG_WALKS } from './scripts/hardening.ts';
import { LONG_HANG_GUARD as guard, POSTGRES, vitestProject } from './scripts/vitest-project.ts';

/** What `pnpm test:hardening` runs: bytes that no client sends, leaks, several processes, and long walks of the models. */
export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 1,
    projects: [
      vitestProject('oddities', ['test/http/oddities']),
      vitestProject('fuzz', ['test/http/fuzz'], { guard, globalSetup: [POSTGRES] }),
      vitestProject('redaction', ['test/http/redaction'], { guard, globalSetup: [POSTGRES] }),
      vitestProject('models', LONG_WALKS, { guard }),
      // One file replaces a module that others have loaded.
      vitestProject('stories', LONG_STORIES, { guard, isolate: true, globalSetup: [POSTGRES] }),
      vitestProject('processes', ['test/reliability/processes'], {
        guard,
        globalSetup: [POSTGRES, './scripts/host-program.global-setup.ts'],
      }),
    ],
  },
});
