import { inspectPostgres, type PostgresInspection } from '@parley/storage-pg';
import type { Settings } from '../../server/settings/settings.ts';
import { reasonOf } from './reason.ts';
import { askSite, type SiteAnswer } from './site.ts';

/** The options of `parley doctor` that are not settings. */
export interface DoctorWishes {
  /** The largest number of agents that wait at one process at the same time. */
  readonly polls: number;
  /** Whether to hold one request for as long as a poll may take. */
  readonly longPoll: boolean;
  /** The session token for that request, if PARLEY_TOKEN is set. */
  readonly token: string | undefined;
}

/** A deployment as the checks see it. The database and the public address are tried once; if one fails, its reason is kept. */
export interface Deployment extends DoctorWishes {
  readonly settings: Settings;
  /** The version of this program. */
  readonly version: string;
  readonly postgres: PostgresInspection | undefined;
  /** The reason why PostgreSQL cannot be reached, if DATABASE_URL is set. */
  readonly postgresFault: string | undefined;
  /** The answer to `GET health` at the public address. */
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
