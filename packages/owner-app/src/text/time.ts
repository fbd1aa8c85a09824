import { isRecord } from '@parley/core/json';
import { ageText } from './ago.ts';

/** Matches a time as the service writes it. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:[\d.]+)?Z$/;

/**
 * A time in the form that all commands print: `2026-11-21 03:46 UTC`. Any other text is returned unchanged.
 *
 * @param at ISO 8601, in UTC
 */
export function timeText(at: unknown): string {
  const text = String(at);
  return ISO_TIME.test(text) ? `${text.slice(0, 16).replace('T', ' ')} UTC` : text;
}

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
