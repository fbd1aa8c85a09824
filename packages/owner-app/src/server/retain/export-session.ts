import { createHash } from 'node:crypto';
import { type ExportedSession, type Owner, parseOrNull, verifyLog } from '@parley/core';
import { z } from 'zod';
import { readLogLines } from '../api/log-lines.ts';
import type { Archive } from './archive.ts';

/** Thrown if an export that was read back is not what was written. */
class ExportDamaged extends Error {
  override readonly name = 'ExportDamaged';
}

/** The calls of core that an export needs. */
export interface ExportSource {
  readonly retention: Pick<Owner['retention'], 'head' | 'documents'>;
  readonly exportLog: Owner['exportLog'];
}

interface Files {
  readonly log: string;
  readonly documents: string;
  readonly sums: string;
}

const filesOf = (sessionId: string): Files => ({
  log: `parley-${sessionId}.jsonl`,
  documents: `parley-${sessionId}.documents.jsonl`,
  sums: `parley-${sessionId}.sha256`,
});

/**
 * Writes three files: the log as `parley export-log` writes it, the large texts beside the log as JSON lines, and the checksums of both
 * in the form of `sha256sum`. The same session gives the same bytes under the same names, so an export can be repeated.
 *
 * @throws ParleyError UNKNOWN_RECORD if the session is erased meanwhile; the file that was being written is then dropped
 */
export async function writeExport(owner: ExportSource, archive: Archive, sessionId: string): Promise<void> {
  const { log, documents, sums } = filesOf(sessionId);
  const [logHash, documentsHash] = [createHash('sha256'), createHash('sha256')];
  await archive.write(log, hashed(owner.exportLog(sessionId), logHash));
  await archive.write(documents, hashed(documentLines(owner, sessionId), documentsHash));
  await archive.write(sums, only(`${logHash.digest('hex')}  ${log}\n${documentsHash.digest('hex')}  ${documents}\n`));
}

/**
 * Reads the files back and verifies them: both checksums, the hash chain of the log up to the head that the storage has now, and the
 * SHA-256 of each text.
 *
 * @throws ExportDamaged if one of these is wrong
 */
export async function verifyExport(owner: ExportSource, archive: Archive, sessionId: string): Promise<ExportedSession> {
  const { log, documents, sums } = filesOf(sessionId);
  const head = await owner.retention.head(sessionId);
  const [logHash, documentsHash] = [createHash('sha256'), createHash('sha256')];
  const report = await verifyLog(readLogLines(hashedBytes(archive.read(log), logHash)), head);
  if (!report.ok || report.head.seq !== head.seq)
    throw new ExportDamaged(
      `${log}: ${report.fault?.message ?? `the log ends at event ${report.head.seq} of ${head.seq}.`}`,
    );
  for await (const { sha256, document } of readDocuments(hashedBytes(archive.read(documents), documentsHash)))
    if (sha256Of(document) !== sha256)
      throw new ExportDamaged(`${documents}: the text ${sha256} does not match its hash.`);
  const [checksum, documentsChecksum] = [logHash.digest('hex'), documentsHash.digest('hex')];
  const expected = `${checksum}  ${log}\n${documentsChecksum}  ${documents}\n`;
  if ((await textOf(archive.read(sums))) !== expected)
    throw new ExportDamaged(`${sums}: the checksums are not those of the files.`);
  return { head, exportedTo: archive.addressOf(log), checksum, documentsChecksum };
}

async function* documentLines({ retention }: ExportSource, sessionId: string): AsyncGenerator<string> {
  for await (const { sha256, body } of retention.documents(sessionId))
    yield `${JSON.stringify({ sha256, document: body })}\n`;
}

const DocumentLine = z.object({ sha256: z.string(), document: z.string() });

async function* readDocuments(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<z.output<typeof DocumentLine>> {
  const text = await textOf(chunks);
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { success, data } = DocumentLine.safeParse(parseOrNull(line));
    if (!success) throw new ExportDamaged('A line of the documents cannot be read.');
    yield data;
  }
}

type Hash = ReturnType<typeof createHash>;

async function* hashed(chunks: AsyncIterable<string>, hash: Hash): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* hashedBytes(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString('utf8');
}
