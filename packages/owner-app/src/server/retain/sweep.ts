/**
 * Erases the sessions that ended long ago. For each: export, read back and verify, erase. Each step can be repeated:
 *
 * - a crash during the export leaves no file, or whole files that the next sweep replaces by the same bytes, and a hidden `.part` file;
 * - a crash before the erasure leaves the session, which the next sweep exports again;
 * - if the session has new events since the export, nothing is erased;
 * - if another sweep erases the session during the export, the export fails and leaves the file of the other sweep.
 *
 * Cannot happen: a session is erased whose export was not read back and verified against the log of that moment.
 */
import { type Owner, type Parley, ParleyError, type People } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import type { Archive } from './archive.ts';
import { type ExportSource, verifyExport, writeExport } from './export-session.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What happened to a session that ended long ago. */
export type RetentionOutcome = 'erased' | 'held' | 'changed' | 'failed';

interface RetainedSession {
  readonly session_id: string;
  readonly title: string;
  readonly ended_at: string;
}

/** The calls of core for the sessions of one owner. */
export type SweptOwner = ExportSource & Pick<Owner, 'retention'>;

export interface SweepOptions {
  readonly owner: SweptOwner;
  readonly archive: Archive;
  /** Days after its end after which a session is erased. */
  readonly days: number;
  readonly nowMs: number;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Called with the outcome of each session. */
  readonly count?: ((outcome: RetentionOutcome) => void) | undefined;
  readonly isOver?: (() => boolean) | undefined;
}

export interface SweptSession extends RetainedSession {
  readonly outcome: RetentionOutcome;
}

/** The calls of core for each account of the service. A closed account is one of them. */
export async function ownersOf(parley: Pick<Parley, 'owner'>, people: Pick<People, 'calls'>): Promise<SweptOwner[]> {
  const { accounts } = await people.calls().listAccounts();
  return accounts.map(({ account_id }) => parley.owner(account_id));
}

/** The sessions that a sweep would look at, oldest end first. */
export async function* dueSessions({ owner, days, nowMs }: Pick<SweepOptions, 'owner' | 'days' | 'nowMs'>) {
  const before = new Date(nowMs - days * DAY_MS).toISOString();
  for await (const { sessionId, title, endedAt } of owner.retention.endedSessions(before))
    yield {
      session_id: sessionId,
      title,
      ended_at: endedAt,
      is_held: await owner.retention.isHeld(sessionId).catch(() => false),
    };
}

/** Exports and erases all sessions that are due. A failure of one session leaves that session, and the others go on. */
export async function sweep(options: SweepOptions): Promise<readonly SweptSession[]> {
  const { owner, log, count = () => undefined, isOver = () => false, days, nowMs } = options;
  const swept: SweptSession[] = [];
  const before = new Date(nowMs - days * DAY_MS).toISOString();
  for await (const { sessionId, title, endedAt } of owner.retention.endedSessions(before)) {
    if (isOver()) break;
    const outcome = await retain(options, sessionId).catch((error: unknown) => {
      if (error instanceof ParleyError && error.code === 'UNKNOWN_RECORD') return undefined;
      log.warn({ err: error, session_id: sessionId }, 'a session could not be exported and erased; it stays');
      return 'failed' as const;
    });
    if (!outcome) continue;
    count(outcome);
    if (outcome === 'erased') log.info({ session_id: sessionId }, 'a session was exported and erased');
    swept.push({ session_id: sessionId, title, ended_at: endedAt, outcome });
  }
  return swept;
}

async function retain({ owner, archive }: SweepOptions, sessionId: string): Promise<RetentionOutcome> {
  if (await owner.retention.isHeld(sessionId)) return 'held';
  await writeExport(owner, archive, sessionId);
  const exported = await verifyExport(owner, archive, sessionId);
  return (await owner.retention.erase(sessionId, exported)) ? 'erased' : 'changed';
}
