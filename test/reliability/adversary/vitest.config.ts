import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD as guard, POSTGRES, vitestProject } from '../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    // Runs one file at a time, because the files measure memory and response times.
    fileParallelism: false,
    projects: [
      vitestProject('adversary', ['test/reliability/adversary'], {
        guard,
        isolate: true,
        disableConsoleIntercept: true,
        globalSetup: [POSTGRES],
      }),
    ],
  },
});
