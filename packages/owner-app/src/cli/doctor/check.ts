import type { PostgresInspection } from '@parley/storage-pg';
import type { Deployment } from './deployment.ts';
import type { Result } from './result.ts';

type Run<T extends readonly unknown[]> = (...seen: T) => Result | undefined | Promise<Result | undefined>;

/** A check of a deployment. Changes nothing there. */
export interface Check {
  /** The name, printed and in `--json`. */
  readonly name: string;
  /** Resolves to undefined if the check does not apply. A rejection counts as a failure. */
  readonly run: Run<[Deployment]>;
}

/** A check of PostgreSQL. Does not apply if PostgreSQL is not reached, which another check reports. */
export const onPostgres = (name: string, run: Run<[PostgresInspection, Deployment]>): Check => ({
  name,
  run: (deployment) => deployment.postgres && run(deployment.postgres, deployment),
});

/** A check of the service at its public address. Does not apply if the service does not answer there. */
export const onSite = (name: string, run: Run<[string, Deployment]>): Check => ({
  name,
  run: (deployment) => {
    const { site, settings } = deployment;
    return site?.json?.ok === true && settings.publicUrl ? run(settings.publicUrl, deployment) : undefined;
  },
});

/** The values of PostgreSQL settings by name, without those that this user may not read. */
export async function settingsOf(
  postgres: PostgresInspection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await postgres.rows('select name, setting from pg_settings where name = any($1)', [names]);
  return new Map(rows.map(({ name, setting }) => [String(name), String(setting)]));
}

/** The single value of a query, as a number. */
export async function numberOf(postgres: PostgresInspection, text: string): Promise<number> {
  const [row = {}] = await postgres.rows(text);
  return Number(Object.values(row)[0]);
}
