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
