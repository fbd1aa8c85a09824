import type { Check } from './check.ts';
import { authorization } from './checks/authorization.ts';
import { bodySize } from './checks/body-size.ts';
import { clock } from './checks/clock.ts';
import { connections } from './checks/connections.ts';
import { dataFolder } from './checks/data-folder.ts';
import { durability } from './checks/durability.ts';
import { embeddedDatabase } from './checks/embedded-database.ts';
import { hints } from './checks/hints.ts';
import { localServer } from './checks/local-server.ts';
import { longPoll } from './checks/long-poll.ts';
import { noStore } from './checks/no-store.ts';
import { nodeVersion } from './checks/node-version.ts';
import { openFiles } from './checks/open-files.ts';
import { partitions } from './checks/partitions.ts';
import { planner } from './checks/planner.ts';
import { pooler } from './checks/pooler.ts';
import { postgresReachable } from './checks/postgres-reachable.ts';
import { privileges } from './checks/privileges.ts';
import { processes } from './checks/processes.ts';
import { publicUrl } from './checks/public-url.ts';
import { schema } from './checks/schema.ts';
import { siteReachable } from './checks/site-reachable.ts';
import { upkeep } from './checks/upkeep.ts';

/** In the order in which they are made and printed: each rests on what is above it. */
export const CHECKS: readonly Check[] = [
  nodeVersion,
  openFiles,
  dataFolder,
  embeddedDatabase,
  postgresReachable,
  schema,
  privileges,
  durability,
  upkeep,
  partitions,
  planner,
  clock,
  pooler,
  processes,
  connections,
  hints,
  localServer,
  publicUrl,
  siteReachable,
  noStore,
  authorization,
  bodySize,
  longPoll,
];
