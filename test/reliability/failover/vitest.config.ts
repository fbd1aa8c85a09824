import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD } from '../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    include: ['test/reliability/failover/**/*.test.ts'],
    globalSetup: './scripts/vitest/host-program.global-setup.ts',
    // Runs one file at a time, because the files print durations.
    fileParallelism: false,
    disableConsoleIntercept: true,
    ...LONG_HANG_GUARD,
  },
});
