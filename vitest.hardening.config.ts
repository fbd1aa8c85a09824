import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LONG_STORIES, LONG_WALKS } from './scripts/hardening.ts';
import { vitestProject } from './scripts/vitest-project.ts';

const processes = vitestProject('processes', ['test/reliability/processes']);

/** What `pnpm test:hardening` runs: bytes that no client sends, leaks, several processes, and long walks of the models. */
export default defineConfig({
  test: {
    globalSetup: './scripts/postgres.global-setup.ts',
    maxWorkers: availableParallelism() + 1,
    projects: [
      vitestProject('oddities', ['test/http/oddities']),
      vitestProject('fuzz', ['test/http/fuzz']),
      vitestProject('redaction', ['test/http/redaction']),
      vitestProject('models', LONG_WALKS),
      vitestProject('stories', LONG_STORIES),
      { ...processes, test: { ...processes.test, globalSetup: './scripts/host-program.global-setup.ts' } },
    ],
  },
});
