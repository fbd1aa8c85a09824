import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD } from '../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/packages/**/*.test.ts'],
    globalSetup: ['test/packages/registry.global-setup.ts'],
    // The measurements would disturb each other.
    fileParallelism: false,
    disableConsoleIntercept: true,
    ...LONG_HANG_GUARD,
  },
});
