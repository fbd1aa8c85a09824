export type { GroupedCall, GroupListener } from './batching/batcher.ts';
export type { HintBroker, Hints, HintsWatcher } from './hints/hints.ts';
export { createRedisHints } from './hints/redis-hints.ts';
export { deliversNotify, inspectPostgres, type PostgresInspection, rehearsePostgres } from './inspect-postgres.ts';
export { NotDistributable } from './migrations/distribute-tables.ts';
export type { SchemaStatus } from './migrations/schema-version.ts';
export {
  FolderInUse,
  type FolderLock,
  identifyProcess,
  isStillRunning,
  lockFolder,
  type ProcessIdentity,
} from './pglite/folder-lock.ts';
export { dumpPglite, readPgliteHolder, readPgliteSchema, restorePglite } from './pglite-folder.ts';
export { createPgliteStorage, type PgliteOptions } from './pglite-storage.ts';
export {
  createPostgresStorage,
  distributePostgres,
  type PostgresOptions,
  partitionPostgres,
  readPostgresSchema,
} from './postgres-storage.ts';
