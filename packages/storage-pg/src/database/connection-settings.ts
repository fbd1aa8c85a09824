import { Client, type ClientConfig } from 'pg';
import { isDatabaseError } from './failures.ts';

/**
 * Settings of PostgreSQL on which statements, connections or the driver depend. Each connection begins with these
 * values, whatever the server, the role or the database says. Two are not among them: how safe a commit is
 * (`synchronous_commit`) is for the operator to decide, and plans are set by `greetConnections`.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  exit_on_error: 'off',
  extra_float_digits: '1',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  lock_timeout: '0',
  quote_all_identifiers: 'off',
  row_security: 'on',
  search_path: 'public',
  standard_conforming_strings: 'on',
  statement_timeout: '0',
  transform_null_equals: 'off',
};

/**
 * The forms of times and texts on which statements rely, for a pooler that refused the startup parameters. PostgreSQL reports a
 * change of these three settings, so PgBouncer keeps them for each client, also in transaction mode. Other settings of the role or the
 * database are in force behind a pooler.
 */
export const FORMS = 'set datestyle = iso; set timezone = utc; set standard_conforming_strings = on';

/** The settings in the form of the startup parameter `options`. A backslash protects a space. */
const OPTIONS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

const OPTIONS_IN_ADDRESS = /([?&]options=)([^&]*)/;

/**
 * Adds the settings to the startup parameters of a connection, after the options that its address may have. They are
 * not sent in statements, because even the first statement could exceed a time limit of the server.
 */
function withSettings(config: ClientConfig): ClientConfig {
  const { connectionString = '' } = config;
  if (!OPTIONS_IN_ADDRESS.test(connectionString)) return { ...config, options: OPTIONS };
  const merge = (_: string, name: string, own: string): string => `${name}${own}%20${encodeURIComponent(OPTIONS)}`;
  return { ...config, connectionString: connectionString.replace(OPTIONS_IN_ADDRESS, merge) };
}

/**
 * Connects once to find out whether the server accepts the settings as startup parameters. Poolers such as PgBouncer
 * refuse them.
 *
 * @returns the configuration for further connections: with the settings, or unchanged if they were refused
 * @throws Error of the driver if the server cannot be reached
 */
export async function settle(config: ClientConfig): Promise<ClientConfig> {
  const settled = withSettings(config);
  try {
    await tryConnection(settled);
    return settled;
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    return config;
  }
}

async function tryConnection(config: ClientConfig): Promise<void> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}
