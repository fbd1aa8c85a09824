/**
 * Controls but tab and line feed, ends of lines, marks of direction, lone surrogates, and whatever else does not show. The
 * joiners of emoji and of Persian, and what makes a sign an emoji, are parts of letters.
 */
const UNSAFE =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * Text of agents as a terminal may show it: what could move the cursor, change colours, hide or reorder letters is
 * spelt out as `\u{1b}`. Its line breaks stay.
 */
export const visible = (text: string): string =>
  text.replace(UNSAFE, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

/** The same in one line, for a place that has no mark of its own on each line: a second one could pass for ours. */
export const visibleLine = (text: string): string =>
  visible(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();

/** The beginning of a commit or a checksum. */
export const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** `2026-11-21 03:46` of an ISO 8601 time. */
export const shortTime = (at: unknown): string => String(at).slice(0, 16).replace('T', ' ');
