import type { Check } from './check.ts';
import { distribution, workerClocks, workerConnections, workerDurability, workers } from './cluster-checks.ts';
import {
  autovacuum,
  clock,
  connections,
  durability,
  embeddedDatabase,
  hints,
  partitions,
  planner,
  pooler,
  postgresReachable,
  privileges,
  processes,
  rehearsal,
  schema,
} from './database-checks.ts';
import { archive, dataFolder, nodeVersion, openFiles } from './machine-checks.ts';
import { authorization, bodySize, localServer, longPoll, noStore, publicUrl, siteReachable } from './site-checks.ts';

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
