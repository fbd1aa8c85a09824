import type { TestProject } from 'vitest/node';
import { startPostgres } from '../servers/postgres-server.ts';

/**
 * Provides tests with the URL of a real PostgreSQL as `inject('databaseUrl')`: the value of TEST_DATABASE_URL if it is
 * set, otherwise the URL of a server that the first project that needs it starts for all projects of the run. If
 * PostgreSQL is not installed, the URL is null, or an error is thrown if REQUIRE_POSTGRES is 1.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('databaseUrl' in project.getProvidedContext()) return undefined;
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await startPostgres();
  const databaseUrl = given ?? server?.url ?? null;
  if (databaseUrl === null) {
    if (process.env.REQUIRE_POSTGRES === '1')
      throw new Error('REQUIRE_POSTGRES=1, but no PostgreSQL server is installed');
    console.log('No PostgreSQL server was found: the tests that need one are skipped, and only PGlite is tested.');
  }
  project.vitest.provide('databaseUrl', databaseUrl);
  return () => server?.stop() ?? Promise.resolve();
}
