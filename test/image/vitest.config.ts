import { defineConfig } from 'vitest/config';
import { HANG_GUARD } from '../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/image/**/*.test.ts'],
    globalSetup: ['test/image/image.global-setup.ts'],
    // The files use the same ports and containers, and their measurements disturb each other.
    fileParallelism: false,
    disableConsoleIntercept: true,
    ...HANG_GUARD,
  },
});
