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

/** Maximum length of the first words of a text beside the id of its record, in characters. */
const WORDS_CHARS = 70;

/** The first paragraph of a text, on one line. */
export const firstParagraph = (text: string): string =>
  text
    .split(/\n\s*\n/, 1)[0]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

/**
 * Shortens a text to at most `chars` characters, after a whole word. A text without white space is cut inside a word.
 * Core has a function for the same purpose. It is not used here: the console and the commands that start without core
 * use this file.
 */
export function shortened(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = text.slice(0, chars - 1).toWellFormed();
  return `${/\s/.test(cut) && !/^\s/.test(text.slice(chars - 1)) ? cut.replace(/\s+\S*$/, '') : cut.trimEnd()}…`;
}

/**
 * An id with the first words of the text of its record: `f_1 "Nothing says when…"`. If the text is empty, the id alone.
 */
export const withFirstWords = (id: string, text: string): string => {
  const words = shortened(firstParagraph(text), WORDS_CHARS);
  return words === '' ? id : `${id} "${words}"`;
};
