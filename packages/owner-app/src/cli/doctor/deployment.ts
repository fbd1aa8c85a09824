import { inspectPostgres, type PostgresInspection } from '@parley/storage-pg';
import type { Settings } from '../../server/settings/settings.ts';
import { parseAnswer, readText } from '../client/answer.ts';
import { proxiedFetch } from '../client/request.ts';
import { type Result, reasonOf } from './result.ts';

const ANSWER_MS = 10_000;

/** An answer from the public address. A proxy may have changed the answer. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body of the answer. Undefined if the body is not a JSON object but, for example, the error page of a proxy. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly tookMs: number;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs?: number;
}

/** Sends a request to the public address. Does not follow redirects, because a redirected POST can become a GET. */
export async function askSite(url: string, { withinMs = ANSWER_MS, ...question }: Question = {}): Promise<SiteAnswer> {
  const start = performance.now();
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(withinMs)]);
  const answer = await proxiedFetch(url, { ...question, redirect: 'manual', signal });
  const text = await readText({ url, response: answer, abort });
  return {
    status: answer.status,
    headers: answer.headers,
    json: parseAnswer(text, ''),
    tookMs: performance.now() - start,
  };
}

/** Whether the answer has the form of an error of Parley. */
export const isOwnError = ({ json }: SiteAnswer): boolean => json?.ok === false && typeof json.error === 'string';

export function describeAnswer({ status, headers, json }: SiteAnswer): string {
  if (json && typeof json.error === 'string') return `${status} ${json.error}`;
  const target = headers.get('location');
  if (target) return `${status}, a redirect`;
  return `${status} ${json ? 'with other JSON' : `with ${headers.get('content-type') ?? 'no content'}`}`;
}

/** The options of `parley doctor` apart from the settings. */
export interface DoctorWishes {
  /** The largest expected number of agents that wait at one process at the same time. */
  readonly polls: number;
  /** Whether to run the check `longPoll`, which takes 25 seconds. */
  readonly longPoll: boolean;
  /** The session token in `PARLEY_TOKEN`, which the check `longPoll` uses. */
  readonly token: string | undefined;
}

/** The facts that the checks use. PostgreSQL and the public address are contacted once, before the checks run. */
export interface Deployment extends DoctorWishes {
  readonly settings: Settings;
  readonly version: string;
  readonly postgres: PostgresInspection | undefined;
  /**
   * The reason why PostgreSQL cannot be reached. Undefined if PostgreSQL can be reached or `DATABASE_URL` is not set.
   */
  readonly postgresFault: string | undefined;
  /** The answer to `GET health` at the public address. Undefined if there was no answer or `publicUrl` is not set. */
  readonly site: SiteAnswer | undefined;
  readonly siteFault: string | undefined;
  close(): Promise<void>;
}

export async function openDeployment(settings: Settings, version: string, wishes: DoctorWishes): Promise<Deployment> {
  const [postgres, site] = await Promise.allSettled([
    settings.databaseUrl ? inspectPostgres(settings.databaseUrl) : undefined,
    settings.publicUrl ? askSite(`${settings.publicUrl}/api/public/agent/health`) : undefined,
  ]);
  const database = postgres.status === 'fulfilled' ? postgres.value : undefined;
  return {
    ...wishes,
    settings,
    version,
    postgres: database,
    postgresFault: postgres.status === 'rejected' ? reasonOf(postgres.reason) : undefined,
    site: site.status === 'fulfilled' ? site.value : undefined,
    siteFault: site.status === 'rejected' ? reasonOf(site.reason) : undefined,
    close: async () => database?.close(),
  };
}

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
