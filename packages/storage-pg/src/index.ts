export type { GroupedCall, GroupListener } from './batcher.ts';
export type { HintBroker, Hints, HintsWatcher } from './hints.ts';
export { hearsNotify, inspectPostgres, type PostgresInspection } from './inspect-postgres.ts';
export { FolderInUse, type FolderLock, lockFolder } from './pglite/folder-lock.ts';
export { identifyProcess, isStillRunning, type ProcessIdentity } from './pglite/process-identity.ts';
export { dumpPglite, readPgliteHolder, readPgliteSchema, restorePglite } from './pglite-folder.ts';
export { createPgliteStorage, type PgliteOptions } from './pglite-storage.ts';
export {
  createPostgresStorage,
  type PostgresOptions,
  partitionPostgres,
  readPostgresSchema,
} from './postgres-storage.ts';
export { createRedisHints } from './redis-hints.ts';
export type { SchemaStatus } from './schema-version.ts';
