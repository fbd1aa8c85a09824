import { defineConfig } from 'vitest/config';
import { findPrograms } from '../../../scripts/servers/postgres-programs.ts';
import { LONG_HANG_GUARD as guard, HOST_PROGRAMS, vitestProject } from '../../../scripts/vitest/vitest-project.ts';

const CLUSTER = './scripts/vitest/citus.global-setup.ts';

const canStart = findPrograms(['initdb', 'postgres'], 'citus') !== undefined;
const hasCluster = canStart || Boolean(process.env.CITUS_URL);
if (!hasCluster) console.log('Citus is not installed and CITUS_URL is not set: its tests are left out.');

/** Suites that also run on one PostgreSQL. */
const SHARED = [
  'test/reliability/citus/storage.test.ts',
  'test/scenarios/crash.test.ts',
  'test/scenarios/golden-databases.test.ts',
  'test/scenarios/held-poll.test.ts',
  'test/scenarios/idempotency.test.ts',
  'test/scenarios/inbox.test.ts',
  'test/scenarios/missions.test.ts',
  'test/scenarios/owner-limits.test.ts',
  'test/scenarios/people.test.ts',
  'packages/owner-app/test/retain/retain.test.ts',
];

const options = { guard, disableConsoleIntercept: true };

const projects = [
  vitestProject('shared', SHARED, { ...options, globalSetup: [CLUSTER] }),
  vitestProject('processes', ['test/reliability/processes'], { ...options, globalSetup: [CLUSTER, HOST_PROGRAMS] }),
  ...(canStart
    ? [
        vitestProject('cluster', ['test/reliability/citus'], {
          ...options,
          without: ['test/reliability/citus/storage.test.ts'],
          globalSetup: [HOST_PROGRAMS],
        }),
      ]
    : []),
];

/** Runs one file at a time: three servers and several hosts share the machine. */
export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    fileParallelism: false,
    ...(hasCluster ? { projects } : { include: [], passWithNoTests: true }),
  },
});
