import { isRecord } from '@parley/core/json';
import { timeText } from '@parley/core/text';
import { ageText } from './ago.ts';

/**
 * A time, and how long ago the time was: `2026-11-21 06:12 UTC (14 min)`. Empty if `at` is not a time.
 *
 * @param at ISO 8601
 */
export const sinceText = (at: string, nowMs: number): string =>
  Number.isNaN(Date.parse(at)) ? '' : `${timeText(at)} (${ageText(at, nowMs)})`;

/** Names of the members of answers that contain a time: `at`, `expires_at`. */
const TIME_NAME = /(^|_)at$/;

/** An answer of the service in which `timeText` has formatted each time. */
export function withTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTimes);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      TIME_NAME.test(name) && typeof member === 'string' ? timeText(member) : withTimes(member),
    ]),
  );
}
