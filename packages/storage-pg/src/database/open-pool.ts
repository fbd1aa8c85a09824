import { Pool, type PoolConfig } from 'pg';

/**
 * Opens a pool. Ignores errors of idle connections, which would otherwise end the process. The next statement on a
 * broken connection fails.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
