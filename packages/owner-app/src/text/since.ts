import { ageText } from './ago.ts';

/**
 * A time, and how long ago the time was: `06:12 UTC (14 min)`. If the time is not on the current day (UTC), its date is
 * shown too. Empty if `at` is not a time.
 *
 * @param at ISO 8601
 */
export function sinceText(at: string, nowMs: number): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return '';
  const iso = new Date(time).toISOString();
  const isToday = iso.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10);
  const shown = isToday ? iso.slice(11, 16) : iso.slice(0, 16).replace('T', ' ');
  return `${shown} UTC (${ageText(at, nowMs)})`;
}
