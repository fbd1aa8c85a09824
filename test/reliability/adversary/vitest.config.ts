import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD as guard, POSTGRES, vitestProject } from '../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    // One file at a time, because the files measure memory and response times. The short form has higher limits.
    ...(process.env.ADVERSARY === 'short' ? { maxWorkers: 2 } : { fileParallelism: false }),
    disableConsoleIntercept: true,
    projects: [vitestProject('adversary', ['test/reliability/adversary'], { guard, globalSetup: [POSTGRES] })],
  },
});
