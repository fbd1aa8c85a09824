import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

/**
 * Gives every test file `inject('databaseUrl')`: a real PostgreSQL, or null. The first project of a run that asks starts it for all.
 * TEST_DATABASE_URL names a server to use; REQUIRE_POSTGRES=1 makes its absence an error.
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
