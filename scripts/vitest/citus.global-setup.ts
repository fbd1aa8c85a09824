import type { TestProject } from 'vitest/node';
import { startCitus, workersOf } from '../servers/citus-cluster.ts';

/**
 * Provides tests with a Citus cluster: `inject('databaseUrl')` is the URL of its coordinator, `inject('citusWorkers')`
 * are those of its workers. CITUS_URL names the coordinator of an existing cluster; otherwise a private cluster is
 * started.
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
