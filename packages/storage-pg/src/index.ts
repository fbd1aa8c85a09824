export { createPgliteStorage, type PgliteOptions } from './pglite-storage.ts';
export { createPostgresStorage, type PostgresOptions } from './postgres-storage.ts';
