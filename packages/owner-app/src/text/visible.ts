/**
 * Unsafe characters: controls except tab and line feed, line separators, direction marks, lone surrogates and other
 * invisible characters. Joiners and emoji selectors are parts of letters and allowed.
 */
const UNSAFE =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * Text of agents, safe for a terminal: characters that could move the cursor, change colours, hide or reorder letters are
 * spelled out as `\u{1b}`. Line breaks stay.
 */
export const visible = (text: string): string =>
  text.replace(UNSAFE, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

/** As {@link visible}, in one line, for places where a second line could look like a line of the program. */
export const visibleLine = (text: string): string =>
  visible(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();

/** The first 12 characters of a commit or checksum. */
export const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** An ISO 8601 time as `2026-11-21 03:46`. */
export const shortTime = (at: unknown): string => String(at).slice(0, 16).replace('T', ' ');
