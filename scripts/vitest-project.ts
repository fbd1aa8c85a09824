/**
 * Time limits in milliseconds that end a test or a poll that hangs. No test expects a result within these limits, because a
 * second's work on an idle machine may take a minute on a busy one.
 */
export const HANG_GUARD = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 10 } },
};

/** HANG_GUARD for suites whose length an environment variable sets, such as `CRASH_ROUNDS` and `MODEL_RUNS`. */
export const LONG_HANG_GUARD = { ...HANG_GUARD, testTimeout: 3_600_000 };

/** A global set-up that provides `inject('databaseUrl')`. All projects of a run share one server. */
export const POSTGRES = './scripts/postgres.global-setup.ts';

interface ProjectOptions {
  readonly isolate?: boolean;
  readonly without?: readonly string[];
  readonly guard?: typeof HANG_GUARD;
  readonly globalSetup?: readonly string[];
}

/** One project of a vitest configuration. The global set-up runs only if the run includes a file of the project. */
export const vitestProject = (
  name: string,
  folders: readonly string[],
  { isolate = false, without = [], guard = HANG_GUARD, globalSetup = [] }: ProjectOptions = {},
) => ({
  // Resolves workspace packages to their sources, so tests need no build. The condition `module` is left out: it is for
  // bundlers, and Node cannot load every file that it names.
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    name,
    include: folders.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
    exclude: ['**/node_modules/**', '**/dist/**', ...without],
    ...guard,
    // Test files share the modules that they import. No test changes these modules, and loading them again for each file takes
    // longer than the tests.
    isolate,
    globalSetup: [...globalSetup],
  },
});
