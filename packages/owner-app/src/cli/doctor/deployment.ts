import { inspectPostgres, type PostgresInspection } from '@parley/storage-pg';
import type { Settings } from '../../server/settings/settings.ts';
import { reasonOf } from './reason.ts';
import { askSite, type SiteAnswer } from './site.ts';

/** The options of `parley doctor`, without the settings. */
export interface DoctorWishes {
  /** The largest number of agents that wait in one process at the same time. */
  readonly polls: number;
  /** Whether to run the check that makes a long-poll of 25 seconds. */
  readonly longPoll: boolean;
  /** The session token from PARLEY_TOKEN, with which that long-poll is made. Undefined if PARLEY_TOKEN is not set. */
  readonly token: string | undefined;
}

/**
 * The facts about a deployment that the checks use. The database and the public address are contacted once, before the checks. If
 * that fails, `postgresFault` or `siteFault` contains the reason.
 */
export interface Deployment extends DoctorWishes {
  readonly settings: Settings;
  /** The version of this program. */
  readonly version: string;
  readonly postgres: PostgresInspection | undefined;
  /** The reason why PostgreSQL cannot be reached. Undefined if PostgreSQL can be reached or DATABASE_URL is not set. */
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
