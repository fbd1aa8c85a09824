import { createHash } from 'node:crypto';
import { type ExportedSession, type Head, type Owner, parseOrNull, verifyLog } from '@parley/core';
import { z } from 'zod';
import { linesOf, readLogLines } from '../api/log-export.ts';
import { type Archive, CHECK_FILE, hashed } from './archive.ts';

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
    if (sha256Of(document) !== sha256)
      throw new ExportDamaged(`${documents}: the text stored under the SHA-256 ${sha256} has another SHA-256.`);
  const [checksum, documentsChecksum] = [logHash.digest('hex'), documentsHash.digest('hex')];
  const found = sumLines([checksum, log], [documentsChecksum, documents]);
  if (found !== checksums || (await sumOf(archive.read(sums))) !== sha256Of(checksums))
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

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

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
