/** The names of the tables, with the schema in front. So no statement depends on a search path, which a pooler may reset. */
export interface Tables {
  readonly schema: string;
  readonly session: string;
  readonly event: string;
  readonly document: string;
  readonly snapshot: string;
  readonly rate: string;
  readonly meta: string;
}

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,47}$/;

export function tablesIn(schema: string): Tables {
  if (!SCHEMA_NAME.test(schema)) {
    throw new TypeError('The schema name must be 1 to 48 lower-case letters, digits and underscores.');
  }
  const table = (name: string): string => `"${schema}".parley_${name}`;
  return {
    schema,
    session: table('session'),
    event: table('event'),
    document: table('document'),
    snapshot: table('snapshot'),
    rate: table('rate'),
    meta: table('meta'),
  };
}
