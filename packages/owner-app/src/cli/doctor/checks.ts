import type { Check } from './check.ts';
import { distribution } from './cluster-checks/distribution.ts';
import { workerClocks } from './cluster-checks/worker-clocks.ts';
import { workerConnections } from './cluster-checks/worker-connections.ts';
import { workerDurability } from './cluster-checks/worker-durability.ts';
import { workers } from './cluster-checks/workers.ts';
import { autovacuum } from './database-checks/autovacuum.ts';
import { clock } from './database-checks/clock.ts';
import { connections } from './database-checks/connections.ts';
import { durability } from './database-checks/durability.ts';
import { embeddedDatabase } from './database-checks/embedded-database.ts';
import { hints } from './database-checks/hints.ts';
import { partitions } from './database-checks/partitions.ts';
import { planner } from './database-checks/planner.ts';
import { pooler } from './database-checks/pooler.ts';
import { postgresReachable } from './database-checks/postgres-reachable.ts';
import { privileges } from './database-checks/privileges.ts';
import { processes } from './database-checks/processes.ts';
import { rehearsal } from './database-checks/rehearsal.ts';
import { schema } from './database-checks/schema.ts';
import { archive } from './machine-checks/archive.ts';
import { dataFolder } from './machine-checks/data-folder.ts';
import { nodeVersion } from './machine-checks/node-version.ts';
import { openFiles } from './machine-checks/open-files.ts';
import { authorization } from './site-checks/authorization.ts';
import { bodySize } from './site-checks/body-size.ts';
import { localServer } from './site-checks/local-server.ts';
import { longPoll } from './site-checks/long-poll.ts';
import { noStore } from './site-checks/no-store.ts';
import { publicUrl } from './site-checks/public-url.ts';
import { siteReachable } from './site-checks/site-reachable.ts';

/** The checks, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  nodeVersion,
  openFiles,
  dataFolder,
  archive,
  embeddedDatabase,
  postgresReachable,
  schema,
  privileges,
  rehearsal,
  durability,
  autovacuum,
  partitions,
  planner,
  clock,
  pooler,
  processes,
  connections,
  hints,
  workers,
  distribution,
  workerDurability,
  workerClocks,
  workerConnections,
  localServer,
  publicUrl,
  siteReachable,
  noStore,
  authorization,
  bodySize,
  longPoll,
];
