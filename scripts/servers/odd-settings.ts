import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { startPostgres } from './postgres-server.ts';

/**
 * A value other than the default for each setting on which a statement, a connection or the driver could depend. Each
 * one is a value that somebody may give a server, a role or a database.
 */
const ODD_SETTINGS: Readonly<Record<string, string>> = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  array_nulls: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  enable_indexscan: 'off',
  exit_on_error: 'on',
  extra_float_digits: '-15',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '10ms',
  jit_above_cost: '0',
  lock_timeout: '1ms',
  plan_cache_mode: 'force_custom_plan',
  quote_all_identifiers: 'on',
  row_security: 'off',
  search_path: 'nowhere',
  standard_conforming_strings: 'off',
  statement_timeout: '1ms',
  synchronous_commit: 'local',
  transform_null_equals: 'on',
};

/** Where the settings stand: in the configuration of the server, at the role, or at the database. */
export const ODD_PLACES = ['server', 'role', 'database'] as const;
export type OddPlace = (typeof ODD_PLACES)[number];

/**
 * Creates an empty database whose connections begin with odd settings.
 *
 * @param serverUrl a server with default settings. For the place `server` another one is started
 */
export async function openOddDatabase(
  place: OddPlace,
  serverUrl: string,
): Promise<{ readonly url: string; remove(): Promise<void> }> {
  if (place === 'server') {
    const server = await startPostgres({ settings: ODD_SETTINGS });
    if (server === null) throw new Error('PostgreSQL is not installed.');
    return { url: server.url, remove: () => server.stop() };
  }
  const name = `odd_${randomBytes(6).toString('hex')}`;
  await run(serverUrl, `create role ${name} login superuser`, `create database ${name} owner ${name}`);
  const sets = Object.entries(ODD_SETTINGS).map(([setting, value]) => {
    const values = setting === 'DateStyle' ? value : `'${value}'`;
    return `alter ${place} ${name} set ${setting} = ${values}`;
  });
  await run(serverUrl, ...sets);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}`, username: name }).href;
  return { url, remove: () => run(serverUrl, `drop database ${name} with (force)`, `drop role ${name}`) };
}

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
