import type { TestProject } from 'vitest/node';
import { startCitus, workersOf } from '../servers/citus-cluster.ts';

/**
 * Provides tests with a cluster of Citus: `inject('databaseUrl')` leads to its coordinator, `inject('citusWorkers')` are its
 * workers. CITUS_URL names the database of a coordinator whose workers are added; otherwise a private cluster is started.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('databaseUrl' in project.getProvidedContext()) return undefined;
  const given = process.env.CITUS_URL;
  const cluster = given ? null : await startCitus();
  const url = given ?? cluster?.coordinator.url;
  if (url === undefined) throw new Error('Citus is not installed, and CITUS_URL is not set.');
  project.vitest.provide('databaseUrl', url);
  project.vitest.provide('citusWorkers', await workersOf(url));
  return () => cluster?.stop() ?? Promise.resolve();
}
