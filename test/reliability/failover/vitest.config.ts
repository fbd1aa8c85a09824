import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD as guard, HOST_PROGRAMS, vitestProject } from '../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    // Runs one file at a time, because the files print durations.
    fileParallelism: false,
    projects: [
      vitestProject('failover', ['test/reliability/failover'], {
        guard,
        isolate: true,
        disableConsoleIntercept: true,
        globalSetup: [HOST_PROGRAMS],
      }),
    ],
  },
});
