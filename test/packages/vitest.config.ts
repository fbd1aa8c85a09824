import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD } from '../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/packages/**/*.test.ts'],
    globalSetup: ['test/packages/registry.global-setup.ts'],
    // Two files at a time, because newcomers wait for npm, but one with `TIMED=1`: measurements would disturb each other.
    maxWorkers: process.env.TIMED === '1' ? 1 : 2,
    disableConsoleIntercept: true,
    ...LONG_HANG_GUARD,
  },
});
