import { inspectPostgres, type PostgresInspection } from '@parley/storage-pg';
import type { Settings } from '../../server/settings/settings.ts';
import { reasonOf } from './result.ts';
import { askSite, type SiteAnswer } from './site.ts';

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
