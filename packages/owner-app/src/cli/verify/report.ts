import { stat } from 'node:fs/promises';
import {
  BYTES_LIMIT,
  parseReport,
  type Refuse,
  type ReportFormat,
  type TestReport,
} from '../../reports/test-report.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { readBytes } from './attach.ts';

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
    throw new CliError(EXIT.USAGE, `The report ${visibleLine(path)} is refused: ${visible(reason)} Nothing was sent.`);
  };
  const bytes = await bytesOf(path, refuse);
  return await parseReport(format, bytes, refuse);
}

async function bytesOf(path: string, refuse: Refuse): Promise<Buffer> {
  const bytes = await readBytes(path, BYTES_LIMIT).catch((error: unknown) => refuse(`${Object(error).message}.`));
  if (!bytes) return refuse('the command has not written this file.');
  return bytes.length < BYTES_LIMIT ? bytes : refuse(`a report must have fewer than ${BYTES_LIMIT} bytes.`);
}
