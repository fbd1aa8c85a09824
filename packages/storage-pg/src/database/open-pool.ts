import { Pool, type PoolConfig } from 'pg';

/**
 * Opens a pool. Errors of idle connections are ignored, because they would end the process. The next statement on a broken
 * connection gets the error.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
