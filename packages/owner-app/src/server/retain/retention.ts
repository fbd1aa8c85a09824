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

import { createHash } from 'node:crypto';
import {
  type Clock,
  type ExportedSession,
  type Head,
  type Owner,
  type Parley,
  ParleyError,
  type People,
  parseOrNull,
  type Storage,
  systemClock,
  verifyLog,
} from '@parley/core';
import { sha256Hex } from '@parley/core/hash';
import type { Log } from '@parley/http-host/program';
import { z } from 'zod';
import { linesOf } from '../../text/event-stream.ts';
import { readLogLines } from '../api/log-stream.ts';
import { type Archive, ArchiveUnavailable, CHECK_FILE, hashed } from './archive.ts';
import { type ArchivePlace, openArchive } from './open-archive.ts';

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

/** Thrown if an export that is read back differs from what was written. */
class ExportDamaged extends Error {
  override readonly name = 'ExportDamaged';
}

export type RetainingOwner = Pick<Owner, 'retention'>;

interface Files {
  readonly log: string;
  readonly documents: string;
  readonly sums: string;
}

/**
 * Returns the file names of an export. They contain the number and hash of the last event, so an export of any other
 * state of the log has other names.
 */
function filesOf(sessionId: string, { seq, hash }: Head): Files {
  const stem = `parley-${sessionId}-${seq}-${hash.slice(0, 16)}`;
  return { log: `${stem}.jsonl`, documents: `${stem}.documents.jsonl`, sums: `${stem}.sha256` };
}

/** The head of the exported log, and the checksums of what was sent to the archive. */
interface WrittenExport extends Head {
  readonly checksums: string;
}

/**
 * Writes three files: the log as `parley export-log` writes it, the documents of the session as JSON lines, and the
 * checksums of both in the form of `sha256sum`. The same log gives the same bytes under the same names, so an export
 * can be repeated, also by several processes at the same time.
 *
 * @throws ParleyError UNKNOWN_RECORD if the session is erased during the export
 */
export async function writeExport(owner: RetainingOwner, archive: Archive, sessionId: string): Promise<WrittenExport> {
  const head = await owner.retention.head(sessionId);
  const { log, documents, sums } = filesOf(sessionId, head);
  const logSum = await archive.write(log, () => owner.retention.log(sessionId, head));
  const documentsSum = await archive.write(documents, () => documentLines(owner, sessionId, head));
  const checksums = sumLines([logSum, log], [documentsSum, documents]);
  await archive.write(sums, () => only(checksums));
  return { ...head, checksums };
}

/**
 * Reads an export back from the archive. Compares the checksums of the log and of the documents with those of what was
 * written, and not only with those that the archive returns. Verifies the hash chain of the
 * log up to `head`, and the SHA-256 of each document.
 *
 * @throws ExportDamaged if a checksum or a hash is wrong
 */
export async function verifyExport(
  archive: Archive,
  sessionId: string,
  { checksums, ...head }: WrittenExport,
): Promise<ExportedSession> {
  const { log, documents, sums } = filesOf(sessionId, head);
  const [logHash, documentsHash] = [createHash('sha256'), createHash('sha256')];
  const report = await verifyLog(readLogLines(hashed(archive.read(log), logHash)), head, sessionId);
  if (!report.ok || report.head.seq !== head.seq)
    throw new ExportDamaged(
      `${log}: ${report.fault?.message ?? `the log ends at event ${report.head.seq} of ${head.seq}.`}`,
    );
  for await (const { sha256, document } of readDocuments(hashed(archive.read(documents), documentsHash)))
    if (sha256Hex(document) !== sha256)
      throw new ExportDamaged(`${documents}: the text stored under the SHA-256 ${sha256} has another SHA-256.`);
  const [checksum, documentsChecksum] = [logHash.digest('hex'), documentsHash.digest('hex')];
  const found = sumLines([checksum, log], [documentsChecksum, documents]);
  if (found !== checksums || (await sumOf(archive.read(sums))) !== sha256Hex(checksums))
    throw new ExportDamaged(`${sums}: its checksums differ from those of the exported files.`);
  return { head, exportedTo: archive.addressOf(log), checksum, documentsChecksum };
}

const sumLines = (...files: readonly (readonly [sum: string, name: string])[]): string =>
  files.map(([sum, name]) => `${sum}  ${name}\n`).join('');

async function* documentLines({ retention }: RetainingOwner, sessionId: string, head: Head): AsyncGenerator<string> {
  for await (const { sha256, body } of retention.documents(sessionId, head))
    yield `${JSON.stringify({ sha256, document: body })}\n`;
}

const DocumentLine = z.object({ sha256: z.string(), document: z.string() });

async function* readDocuments(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<z.output<typeof DocumentLine>> {
  for await (const line of linesOf(chunks)) {
    const { success, data } = DocumentLine.safeParse(parseOrNull(line));
    if (!success) throw new ExportDamaged('A line in the exported file of documents cannot be parsed.');
    yield data;
  }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

async function sumOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Writes a small file to the archive, reads the file back and compares it.
 *
 * @throws ArchiveUnavailable if the archive accepts no file; ExportDamaged if other bytes are read back
 */
export async function checkArchive(archive: Archive): Promise<void> {
  const written = await archive.write(CHECK_FILE, () => only('Parley can write and read files here.\n'));
  if ((await sumOf(archive.read(CHECK_FILE))) !== written)
    throw new ExportDamaged(
      `${archive.addressOf(CHECK_FILE)} was written, but reading it back gave other bytes. Check the store.`,
    );
}

/** When ended sessions are exported and erased, and to which place they are exported. */
export interface Retention {
  /** Days between the end of a session and its erasure. */
  readonly days: number;
  readonly to: ArchivePlace;
}

export interface RetentionOptions extends Pick<SweepOptions, 'log'> {
  readonly parley: Pick<Parley, 'owner'>;
  readonly people: Pick<People, 'calls'>;
  readonly retention: Retention;
  /** `countWindow` decides which process sweeps: the process that calls it first in an hour. */
  readonly storage: Pick<Storage, 'countWindow'>;
  readonly count: (outcome: RetentionOutcome) => void;
  readonly clock?: Clock;
}

/** Milliseconds of a period. In each period, only one of all processes sweeps. */
const SWEEP_MS = 60 * 60 * 1000;
/** Milliseconds between two attempts of a process to sweep. The first process in each hour sweeps. */
const LOOK_MS = 10 * 60 * 1000;
const START_MS = 60_000;

/**
 * Exports and erases sessions in the background, once an hour in one of the processes. If that process ends during the
 * sweep, another process continues in the next hour.
 */
export function startRetention(options: RetentionOptions): { close(): Promise<void> } {
  const { retention, storage, parley, people, log, count, clock = systemClock } = options;
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  let running: Promise<unknown> = Promise.resolve();
  let cancel = clock.after(START_MS, () => look());
  const sweepAlone = async (): Promise<void> => {
    const [counted] = await storage.countWindow(SWEEP_MS, [{ bucket: 'retention', n: 1 }]);
    if (counted?.n !== 1 || isOver()) return;
    const archive = openArchive(retention.to, over.signal);
    const owners = await ownersOf(parley, people);
    await sweep({ owners, archive, days: retention.days, nowMs: clock.now(), log, count, isOver });
  };
  const look = (): void => {
    running = sweepAlone()
      .catch((error: unknown) => log.warn({ err: error }, 'the search for sessions to erase failed'))
      .then(() => {
        if (!isOver()) cancel = clock.after(LOOK_MS, look);
      });
  };
  return {
    async close() {
      over.abort();
      cancel();
      await running;
    },
  };
}
