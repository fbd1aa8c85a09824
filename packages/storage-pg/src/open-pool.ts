import { Pool, type PoolConfig } from 'pg';

/**
 * Listens for errors of idle connections, which would otherwise end the process. The next user of a broken connection
 * gets the error.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
