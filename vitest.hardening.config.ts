import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { vitestProject } from './scripts/vitest-project.ts';

const processes = vitestProject('processes', ['test/processes']);

/** What `pnpm test:hardening` runs: bytes that no client sends, leaks, several processes, and long walks of the models. */
export default defineConfig({
  test: {
    globalSetup: './scripts/postgres.global-setup.ts',
    maxWorkers: availableParallelism() + 1,
    projects: [
      vitestProject('oddities', ['test/oddities']),
      vitestProject('fuzz', ['test/fuzz']),
      vitestProject('redaction', ['test/redaction']),
      vitestProject('models', ['packages/core/test/model', 'packages/core/test/verify-model']),
      { ...processes, test: { ...processes.test, globalSetup: './scripts/host-program.global-setup.ts' } },
    ],
  },
});
