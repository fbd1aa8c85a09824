export { createPostgresStorage, type PostgresOptions } from './postgres-storage.ts';
