import { inspectPostgres, type PostgresInspection } from '@parley/storage-pg';
import type { Settings } from '../../server/settings/settings.ts';
import { reasonOf } from './reason.ts';
import { askSite, type SiteAnswer } from './site.ts';

/** What a person asks of the doctor beyond the settings. */
export interface DoctorWishes {
  /** Agents that wait at one process at the same time, at most. */
  readonly polls: number;
  /** Whether a request is held as long as a poll may last. */
  readonly longPoll: boolean;
  /** A session token, for what no request without one can show. */
  readonly token: string | undefined;
}

/** A deployment as checks look at it. Reaching it is tried once; what cannot be reached is there as a reason. */
export interface Deployment extends DoctorWishes {
  readonly settings: Settings;
  /** Of this program. */
  readonly version: string;
  readonly postgres: PostgresInspection | undefined;
  /** Why there is none, where DATABASE_URL is set. */
  readonly postgresFault: string | undefined;
  /** What `GET health` says at the public address. */
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
