/** Matches a time as the service writes it. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:[\d.]+)?Z$/;

/**
 * A time in the form in which people read it: `2026-11-21 03:46 UTC`. Any other text is returned unchanged.
 *
 * @param at ISO 8601, in UTC
 */
export function timeText(at: unknown): string {
  const text = String(at);
  return ISO_TIME.test(text) ? `${text.slice(0, 16).replace('T', ' ')} UTC` : text;
}
