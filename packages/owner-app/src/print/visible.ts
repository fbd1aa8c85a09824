/** Controls (but tab and line feed), C1, line separators, bidi and invisible characters (but the joiners of emoji and of Persian), lone surrogates. */
const UNSAFE =
  /[^\P{Cc}\t\n]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}|[\u{e0000}-\u{e007f}]/gu;

/**
 * Text of agents as a terminal may show it: what could move the cursor, change colours or reorder letters is
 * spelt out as `\u{1b}`.
 */
export const visible = (text: string): string =>
  text.replace(UNSAFE, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

/** The beginning of a commit or a checksum. */
export const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** `2026-11-21 03:46` of an ISO 8601 time. */
export const shortTime = (at: unknown): string => String(at).slice(0, 16).replace('T', ' ');
