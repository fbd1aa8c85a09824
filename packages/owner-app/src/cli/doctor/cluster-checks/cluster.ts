import type { PostgresInspection } from '@parley/storage-pg';
import { type Check, onPostgres } from '../check.ts';
import type { Deployment } from '../deployment.ts';
import type { Result } from '../result.ts';

/** Creates a check of a Citus database. The check is skipped for databases without the extension `citus`. */
export const onCitus = (
  name: string,
  run: (postgres: PostgresInspection, deployment: Deployment) => Promise<Result | undefined>,
): Check =>
  onPostgres(name, async (postgres, deployment) => {
    const [extension] = await postgres.rows("select 1 from pg_extension where extname = 'citus'");
    return extension && run(postgres, deployment);
  });

/** The answer of one active worker to an SQL command. */
export interface WorkerAnswer {
  /** Host and port, such as `10.0.0.7:5432`. */
  readonly worker: string;
  /** True if the worker could be reached and ran the command. */
  readonly success: boolean;
  /** The value that the command returned, or the reason of the failure. */
  readonly result: string;
}

/** Runs an SQL command on every active worker, through the coordinator. The command must return a single value. */
export async function askWorkers(postgres: PostgresInspection, text: string): Promise<readonly WorkerAnswer[]> {
  const rows = await postgres.rows('select * from run_command_on_workers($1) order by 1, 2', [text]);
  return rows.map(({ nodename, nodeport, success, result }) => ({
    worker: `${nodename}:${nodeport}`,
    success: success === true,
    result: String(result),
  }));
}

/** The values of PostgreSQL settings on every worker that can be reached. */
export async function settingsOfWorkers(
  postgres: PostgresInspection,
  names: readonly string[],
): Promise<readonly { readonly worker: string; readonly values: ReadonlyMap<string, string> }[]> {
  const list = names.map((name) => `'${name}'`).join(', ');
  const answers = await askWorkers(
    postgres,
    `select coalesce(json_object_agg(name, setting), '{}')::text from pg_settings where name in (${list})`,
  );
  return answers
    .filter(({ success }) => success)
    .map(({ worker, result }) => ({ worker, values: new Map(Object.entries<string>(JSON.parse(result))) }));
}

export function listOf(workers: readonly { readonly worker: string }[]): string | undefined {
  return workers.length === 0 ? undefined : workers.map(({ worker }) => worker).join(', ');
}
