import pg from 'pg';

export async function query<R>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R & Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Ends the database connections that receive or send hints and whose application names match the LIKE pattern `whose`.
 * Returns their number.
 */
export async function endListening(url: string, whose: string): Promise<number> {
  const rows = await query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
     and (query like 'listen %' or query like '%pg_listening_channels%' or query like 'notify %')
     and application_name like '${whose}' and pid <> pg_backend_pid()`,
  );
  return rows.length;
}
