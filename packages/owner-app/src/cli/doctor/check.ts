import type { PostgresInspection } from '@parley/storage-pg';
import type { Deployment } from './deployment.ts';
import type { Result } from './result.ts';

type Run<T extends readonly unknown[]> = (...seen: T) => Result | undefined | Promise<Result | undefined>;

export interface Check {
  readonly name: string;
  /** Runs the check. Returns undefined if the check does not apply to this deployment. An error counts as `fail`. */
  readonly run: Run<[Deployment]>;
}

/**
 * Creates a check of PostgreSQL. The check is skipped if PostgreSQL cannot be reached, because `postgresReachable`
 * reports that.
 */
export const onPostgres = (name: string, run: Run<[PostgresInspection, Deployment]>): Check => ({
  name,
  run: (deployment) => deployment.postgres && run(deployment.postgres, deployment),
});

/**
 * Creates a check of the service at its public address. The check is skipped if the service does not answer there,
 * because `siteReachable` reports that.
 */
export const onSite = (name: string, run: Run<[string, Deployment]>): Check => ({
  name,
  run: (deployment) => {
    const { site, settings } = deployment;
    return site?.json?.ok === true && settings.publicUrl ? run(settings.publicUrl, deployment) : undefined;
  },
});

/** The values of PostgreSQL settings, by name. A setting that the database user may not read is missing. */
export async function settingsOf(
  postgres: PostgresInspection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await postgres.rows('select name, setting from pg_settings where name = any($1)', [names]);
  return new Map(rows.map(({ name, setting }) => [String(name), String(setting)]));
}

export async function numberOf(postgres: PostgresInspection, text: string): Promise<number> {
  const [row = {}] = await postgres.rows(text);
  return Number(Object.values(row)[0]);
}
