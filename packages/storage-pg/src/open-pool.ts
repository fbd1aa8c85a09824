import { Pool, type PoolConfig } from 'pg';

/** A connection that breaks tells whoever uses it; without a listener it would end the process. */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
