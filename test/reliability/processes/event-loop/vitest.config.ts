import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD } from '../../../../scripts/vitest/vitest-project.ts';

export default defineConfig({
  root: new URL('../../../..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    include: ['test/reliability/processes/event-loop/*.measure.ts'],
    globalSetup: ['./scripts/vitest/postgres.global-setup.ts', './scripts/vitest/host-program.global-setup.ts'],
    disableConsoleIntercept: true,
    ...LONG_HANG_GUARD,
  },
});
