import { backOffMs } from '@parley/core';
import { readAs } from '../../text/read-as.ts';
import { CliError } from '../exit-codes.ts';

const BACK_OFF = { firstMs: 500, mostMs: 10_000 };
/** The longest pause. A timer of more than 24 days would end at once. */
const LONGEST_MS = 3_600_000;

/**
 * Milliseconds to wait before a call is made again that failed for a time: at least as long as the server says, up to an hour.
 *
 * @param failures failures in a row, at least 1
 */
export function passingPauseMs(error: unknown, failures: number): number {
  const body = error instanceof CliError ? error.body : undefined;
  const { retry_after_seconds: asked } = readAs(body, { retry_after_seconds: 'number' });
  const grown = backOffMs(failures, { ...BACK_OFF, random: Math.random() });
  return Math.min(Math.max(asked * 1_000, grown), LONGEST_MS);
}
