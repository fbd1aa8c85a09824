/**
 * Matches unsafe characters: control characters except tab and line feed, line separators, direction marks, lone
 * surrogates and other invisible characters. Joiners and emoji selectors are not matched, because they are parts of
 * letters.
 */
const UNSAFE =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * Makes a text of an agent safe for a terminal. Characters that could move the cursor, change colours, or hide or
 * reorder letters are replaced by codes such as `\u{1b}`. Line breaks stay.
 */
export const visible = (text: string): string =>
  text.replace(UNSAFE, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

/** Escapes the same characters in the text of a JSON value. The value stays the same. */
export const visibleJson = (text: string): string =>
  text.replace(UNSAFE, (letter) =>
    Array.from(letter.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );

/** A value as JSON that is safe for a terminal. */
export const jsonText = (value: unknown, indent?: number): string => visibleJson(JSON.stringify(value, null, indent));

/**
 * Makes a text safe like `visible`, and puts it on one line. Used where a second line could look like output of the
 * program itself.
 */
export const visibleLine = (text: string): string =>
  visible(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();

/** Makes a text one word of a POSIX shell, and quotes the text only if necessary. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith('~') ? text : `'${text.replaceAll("'", `'\\''`)}'`;
