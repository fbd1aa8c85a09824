import { defineConfig } from 'vitest/config';
import { LONG_HANG_GUARD as guard, vitestProject } from '../../scripts/vitest/vitest-project.ts';

/**
 * The comparison of what the service answers and shows with what is recorded in `recorded/`. `FREEZE=record` writes the
 * recordings instead. The journeys run isolated, because what other tests have run before them is not counted again.
 */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    maxWorkers: 2,
    projects: [
      vitestProject('answers', ['test/freeze'], {
        guard,
        without: ['test/freeze/journeys.test.ts', 'test/freeze/growth.test.ts', 'test/freeze/console/**'],
      }),
      vitestProject('screens', ['test/freeze/console'], {
        guard,
        globalSetup: ['./scripts/vitest/browser.global-setup.ts'],
      }),
      vitestProject('journeys', ['test/freeze/journeys.test.ts', 'test/freeze/growth.test.ts'], {
        guard,
        isolate: true,
      }),
    ],
  },
});
