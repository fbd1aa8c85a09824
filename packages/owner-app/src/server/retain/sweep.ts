/**
 * Erases the sessions that ended long ago. The steps for each session are: export, read back and verify, erase. Each
 * step can be repeated:
 *
 * - If a process crashes during the export, the next sweep writes the files of the export again, with the same bytes.
 *   If the archive is a folder, a later sweep removes the hidden `.part` file.
 * - If a process crashes before the erasure, the next sweep exports the session again.
 * - If the session gets new events after the export, nothing is erased, and the next export has other file names.
 * - If another sweep erases the session during the export, the export fails, and the files of the other sweep stay.
 *
 * A session is erased only if its export was read back and verified, and if the log has no newer event.
 */
import { type Parley, ParleyError, type People } from '@parley/core';
import type { Log } from '@parley/http-host/program';
import { type Archive, ArchiveUnavailable } from './archive.ts';
import { type RetainingOwner, verifyExport, writeExport } from './export-session.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The result of a sweep for one session. `held`: a moderator's hold is active. `changed`: the session has a new event
 * since its export.
 */
export type RetentionOutcome = 'erased' | 'held' | 'changed' | 'failed';

interface RetainedSession {
  readonly session_id: string;
  readonly title: string;
  readonly ended_at: string;
}

export interface SweepOptions {
  readonly owners: readonly RetainingOwner[];
  readonly archive: Archive;
  /** Days between the end of a session and its erasure. */
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

/** Returns the owner calls of core for each account of the service, including closed accounts. */
export async function ownersOf(
  parley: Pick<Parley, 'owner'>,
  people: Pick<People, 'calls'>,
): Promise<RetainingOwner[]> {
  const { accounts } = await people.calls().listAccounts();
  return accounts.map(({ account_id }) => parley.owner(account_id));
}

/** The sessions that ended more than `days` days ago: owner by owner, oldest end first. */
export async function* dueSessions({ owners, days, nowMs }: Pick<SweepOptions, 'owners' | 'days' | 'nowMs'>) {
  const before = new Date(nowMs - days * DAY_MS).toISOString();
  for (const owner of owners)
    for await (const { sessionId, title, endedAt } of owner.retention.endedSessions(before))
      yield { owner, session: { session_id: sessionId, title, ended_at: endedAt } };
}

/** Whether a moderator's hold is active in a session. False if the session cannot be read. */
export const isHeld = (owner: RetainingOwner, sessionId: string): Promise<boolean> =>
  owner.retention.isHeld(sessionId).catch(() => false);

/**
 * Exports and erases all sessions that are due. If the export or the erasure of a session fails, the session stays and
 * the sweep continues. If the archive accepts no file at all, the sweep ends.
 */
export async function sweep(options: SweepOptions): Promise<readonly SweptSession[]> {
  const { archive, log, count = () => undefined, isOver = () => false } = options;
  const swept: SweptSession[] = [];
  await archive
    .tidy()
    .catch((error: unknown) =>
      log.warn({ err: error }, 'incomplete files that a crash left in the archive could not be removed'),
    );
  for await (const { owner, session } of dueSessions(options)) {
    if (isOver()) break;
    const { outcome, fault } = await tryToRetain(owner, archive, session.session_id);
    if (!outcome || (fault && isOver())) continue;
    count(outcome);
    const { session_id } = session;
    if (outcome === 'erased') log.info({ session_id }, 'a session was exported and erased');
    if (fault) log.warn({ err: fault, session_id }, 'a session could not be exported and erased; it stays');
    swept.push({ ...session, outcome });
    if (fault instanceof ArchiveUnavailable) break;
  }
  return swept;
}

interface Tried {
  /** The result for the session. Undefined if the session is not stored any more. */
  readonly outcome?: RetentionOutcome;
  readonly fault?: unknown;
}

async function tryToRetain(owner: RetainingOwner, archive: Archive, sessionId: string): Promise<Tried> {
  try {
    return { outcome: await retain(owner, archive, sessionId) };
  } catch (fault) {
    return fault instanceof ParleyError && fault.code === 'UNKNOWN_RECORD' ? {} : { outcome: 'failed', fault };
  }
}

async function retain(owner: RetainingOwner, archive: Archive, sessionId: string): Promise<RetentionOutcome> {
  if (await owner.retention.isHeld(sessionId)) return 'held';
  const head = await writeExport(owner, archive, sessionId);
  const exported = await verifyExport(archive, sessionId, head);
  return (await owner.retention.erase(sessionId, exported)) ? 'erased' : 'changed';
}
