/**
 * Time limits for tests and polls that hang, in milliseconds. On a busy machine one second of work may take a minute,
 * so the limits are far above the usual times.
 */
export const HANG_GUARD = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 10 } },
};

/**
 * The time limits for tests whose length depends on an environment variable, such as `CRASH_ROUNDS` or `MODEL_RUNS`.
 */
export const LONG_HANG_GUARD = { ...HANG_GUARD, testTimeout: 3_600_000 };

/** The global set-up that provides `inject('databaseUrl')`. All projects of a run share one server. */
export const POSTGRES = './scripts/vitest/postgres.global-setup.ts';
/** The global set-up that provides the programs of `test/reliability/processes`. */
export const HOST_PROGRAMS = './scripts/vitest/host-program.global-setup.ts';
const PROGRAMS = './scripts/vitest/programs.global-setup.ts';

interface ProjectOptions {
  readonly isolate?: boolean;
  /** Whether the output of tests is printed as it is, when it is written. */
  readonly disableConsoleIntercept?: boolean;
  readonly without?: readonly string[];
  readonly guard?: typeof HANG_GUARD;
  readonly globalSetup?: readonly string[];
}

/** Makes one project of a vitest configuration. Its global set-up runs only if a test file of this project runs. */
export const vitestProject = (
  name: string,
  folders: readonly string[],
  {
    isolate = false,
    disableConsoleIntercept = false,
    without = [],
    guard = HANG_GUARD,
    globalSetup = [],
  }: ProjectOptions = {},
) => ({
  // Packages of the workspace are resolved to their sources, so that tests need no build. The condition `module` is
  // left out, because Node cannot load all files that it selects.
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    name,
    include: folders.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
    exclude: ['**/node_modules/**', '**/dist/**', ...without],
    ...guard,
    // Without isolation, test files share the modules that they import. No test changes these modules, and loading them
    // for each file would take longer than the tests.
    isolate,
    disableConsoleIntercept,
    globalSetup: [PROGRAMS, ...globalSetup],
  },
});
