import type { PostgresInspection } from '@parley/storage-pg';
import type { Deployment } from './deployment.ts';
import type { Result } from './result.ts';

type Run<T extends readonly unknown[]> = (...seen: T) => Result | undefined | Promise<Result | undefined>;

/** A check of a deployment. It does not change the deployment. */
export interface Check {
  /** The name of the check, as printed and as in `--json`. */
  readonly name: string;
  /** Runs the check. Resolves to undefined if the check does not apply. If it rejects, the check has failed. */
  readonly run: Run<[Deployment]>;
}

/** Makes a check of PostgreSQL. It does not apply if PostgreSQL cannot be reached; another check reports that. */
export const onPostgres = (name: string, run: Run<[PostgresInspection, Deployment]>): Check => ({
  name,
  run: (deployment) => deployment.postgres && run(deployment.postgres, deployment),
});

/** Makes a check of the service at its public address. It does not apply if the service does not answer there. */
export const onSite = (name: string, run: Run<[string, Deployment]>): Check => ({
  name,
  run: (deployment) => {
    const { site, settings } = deployment;
    return site?.json?.ok === true && settings.publicUrl ? run(settings.publicUrl, deployment) : undefined;
  },
});

/** The values of PostgreSQL settings, by name. Settings that this user may not read are missing. */
export async function settingsOf(
  postgres: PostgresInspection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await postgres.rows('select name, setting from pg_settings where name = any($1)', [names]);
  return new Map(rows.map(({ name, setting }) => [String(name), String(setting)]));
}

/** Runs a query that returns a single value, and returns it as a number. */
export async function numberOf(postgres: PostgresInspection, text: string): Promise<number> {
  const [row = {}] = await postgres.rows(text);
  return Number(Object.values(row)[0]);
}
