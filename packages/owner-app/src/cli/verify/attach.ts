import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  BYTES_LIMIT,
  parseReport,
  type Refuse,
  type ReportFormat,
  type TestReport,
} from '../../reports/test-report.ts';
import { openRegularFile } from '../../server/access/owner-key.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import type { AgentClient } from '../agent/agent-client.ts';
import { CliError, wrongUsage } from '../exit-codes.ts';

/** A file that is attached, as it was read: what is sent is what the evidence names. */
export interface Attachment {
  readonly filename: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

const MOST_BYTES = 1_000_000;

/**
 * Reads the files to attach.
 *
 * @throws CliError USAGE if one is no regular file with 1 byte to 1 MB
 */
export const readAttachments = (folder: string, paths: readonly string[]): Promise<Attachment[]> =>
  Promise.all(paths.map((path) => readAttachment(resolve(folder, path))));

async function readAttachment(path: string): Promise<Attachment> {
  const refuse = (reason: string): never => {
    throw wrongUsage(`${visibleLine(path)} cannot be attached: ${visibleLine(reason)}. Nothing was sent.`);
  };
  const bytes = await readBytes(path, MOST_BYTES).catch((error: unknown) => refuse(String(Object(error).message)));
  if (!bytes) return refuse('there is no such file');
  if (bytes.length === 0) return refuse('it is empty');
  if (bytes.length > MOST_BYTES) return refuse('it has more than 1 MB');
  return { filename: basename(path), bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The first bytes of a file, at most one more than `most`. Undefined if there is no such file. */
async function readBytes(path: string, most: number): Promise<Buffer | undefined> {
  const file = await openRegularFile(path);
  try {
    return file && (await buffer(file.createReadStream({ end: most, autoClose: false })));
  } finally {
    await file?.close();
  }
}

/** Where files are attached. */
export type AttachPlace = { readonly scenario_id: string; readonly attempt: number } | { readonly gate_id: string };

export const attach = async (
  client: AgentClient,
  sessionId: string,
  { place, file }: { readonly place: AttachPlace; readonly file: Attachment },
): Promise<unknown> =>
  await client
    .post(sessionId, 'verify_attach', { ...place, filename: file.filename, content: file.bytes.toString('base64') })
    .catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      const { exitCode, message, body, status } = error;
      throw new CliError(exitCode, `${visibleLine(file.filename)} is not attached: ${message}`, body, status);
    });

export const attachedLine = ({ filename, bytes, sha256 }: Attachment): string =>
  `Attached: ${visibleLine(filename)}, ${bytes.length} bytes, SHA-256 ${sha256}.`;

/** What tells one state of a file from another: a file that a command writes anew gets another value. */
export async function fileMark(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : '';
}

/**
 * Reads a report. Nothing of it is trusted.
 *
 * @throws CliError USAGE if the file is no complete report of this format
 */
export async function readReport(format: ReportFormat, path: string): Promise<TestReport> {
  const refuse = (reason: string): never => {
    throw wrongUsage(`The report ${visibleLine(path)} is refused: ${visible(reason)} Nothing was sent.`);
  };
  const bytes = await bytesOf(path, refuse);
  return await parseReport(format, bytes, refuse);
}

async function bytesOf(path: string, refuse: Refuse): Promise<Buffer> {
  const bytes = await readBytes(path, BYTES_LIMIT).catch((error: unknown) => refuse(`${Object(error).message}.`));
  if (!bytes) return refuse('the command has not written this file.');
  return bytes.length < BYTES_LIMIT ? bytes : refuse(`a report must have fewer than ${BYTES_LIMIT} bytes.`);
}
