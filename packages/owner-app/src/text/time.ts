import { isRecord } from '@parley/core/json';
import { timeText } from '@parley/core/text';

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/**
 * A duration in its largest whole unit, and for hours and days also the rest in the next unit: `4 s`, `47 min`,
 * `3 h 5 min`, `2 d 4 h`, `2 d`. For a negative duration, `0 s`.
 */
export function durationText(ms: number): string {
  const { index, size, text } = largestUnit(ms);
  const next = UNITS[index + 1];
  const rest = next && size > 60_000 ? Math.floor((ms % size) / next[0]) : 0;
  return next && rest > 0 ? `${text} ${rest} ${next[1]}` : text;
}

/** A duration in its largest whole unit, for narrow columns and marks: `4 s`, `47 min`, `3 h`, `2 d`. */
const shortDuration = (ms: number): string => largestUnit(ms).text;

function largestUnit(ms: number) {
  const found = UNITS.findIndex(([size]) => ms >= size);
  const index = found < 0 ? UNITS.length - 1 : found;
  const [size, unit] = UNITS[index] ?? [1_000, 's'];
  return { index, size, text: `${Math.max(0, Math.floor(ms / size))} ${unit}` };
}

/** The time since `at`, for narrow columns, such as `47 min` or `3 h`. `-` if `at` is not a time. */
export const ageText = (at: string, nowMs: number): string => textSince(at, nowMs, shortDuration);

/** The time since `at`, such as `47 min` or `3 h 5 min`. `-` if `at` is not a time. */
export const elapsedText = (at: string, nowMs: number): string => textSince(at, nowMs, durationText);

/** The time since `at`, such as `47 min ago` or `3 h 5 min ago`. */
export const agoText = (at: string, nowMs: number): string => `${elapsedText(at, nowMs)} ago`;

function textSince(at: string, nowMs: number, textOf: (ms: number) => string): string {
  const then = Date.parse(at);
  return Number.isNaN(then) ? '-' : textOf(nowMs - then);
}

/** By how many milliseconds the clock of the server is ahead of the clock of this program. */
let aheadMs = 0;

/** Smaller differences are ignored: the time of an answer has whole seconds, and the answer can be a few seconds old. */
const TOLERANCE_MS = 5_000;

/** Takes the time of the server from the Date header of an answer, for texts such as `4 min ago`. */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const ms = Date.parse(headers.get('date') ?? '') - Date.now();
  if (ms) aheadMs = Math.abs(ms) < TOLERANCE_MS ? 0 : ms;
}

/** The time by the clock of the server, in milliseconds since the epoch. */
export const serverNow = (): number => Date.now() + aheadMs;

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
