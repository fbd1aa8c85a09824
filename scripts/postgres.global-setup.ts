import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

/**
 * Provides `inject('databaseUrl')` to tests: the URL of a real PostgreSQL, or null. The first project that asks starts the
 * server for all projects of the run. TEST_DATABASE_URL names a server to use instead; with REQUIRE_POSTGRES=1 it is an error
 * if there is none.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('databaseUrl' in project.getProvidedContext()) return undefined;
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await startPostgres();
  const databaseUrl = given ?? server?.url ?? null;
  if (databaseUrl === null) {
    if (process.env.REQUIRE_POSTGRES === '1')
      throw new Error('REQUIRE_POSTGRES=1, but no PostgreSQL server is installed');
    console.log('No PostgreSQL server found: its tests are left out, PGlite alone is tested.');
  }
  project.vitest.provide('databaseUrl', databaseUrl);
  return () => server?.stop() ?? Promise.resolve();
}
