import type { PostgresInspection } from '@parley/storage-pg';
import type { Deployment } from './deployment.ts';
import type { Result } from './result.ts';

type Run<T extends readonly unknown[]> = (...seen: T) => Result | undefined | Promise<Result | undefined>;

/** One question to a deployment. It changes nothing there. */
export interface Check {
  /** As it is printed and as `--json` has it. */
  readonly name: string;
  /** Nothing where the question does not apply. A rejection counts as a failure. */
  readonly run: Run<[Deployment]>;
}

/** A question to a PostgreSQL that answers; another check says when it does not. */
export const onPostgres = (name: string, run: Run<[PostgresInspection, Deployment]>): Check => ({
  name,
  run: (deployment) => deployment.postgres && run(deployment.postgres, deployment),
});

/** A question to the service at its public address, once it answers there. */
export const onSite = (name: string, run: Run<[string, Deployment]>): Check => ({
  name,
  run: (deployment) => {
    const { site, settings } = deployment;
    return site?.json?.ok === true && settings.publicUrl ? run(settings.publicUrl, deployment) : undefined;
  },
});

/** The values of PostgreSQL settings by their names; those that this user may not see are not there. */
export async function settingsOf(
  postgres: PostgresInspection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await postgres.rows('select name, setting from pg_settings where name = any($1)', [names]);
  return new Map(rows.map(({ name, setting }) => [String(name), String(setting)]));
}

/** The one value of a query, as a number. */
export async function numberOf(postgres: PostgresInspection, text: string): Promise<number> {
  const [row = {}] = await postgres.rows(text);
  return Number(Object.values(row)[0]);
}
