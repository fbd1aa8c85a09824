/** Maximum length of the first words of a text beside the id of its record, in characters. */
const WORDS_CHARS = 70;

/** The first paragraph of a text, on one line. */
export const firstParagraph = (text: string): string =>
  text
    .split(/\n\s*\n/, 1)[0]
    ?.replace(/\s+/g, ' ')
    .trim() ?? '';

/** The text, cut after the last whole word that fits. A text without white space is cut anywhere. */
export function shortened(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = text.slice(0, chars - 1).toWellFormed();
  return `${/\s/.test(cut) && !/^\s/.test(text.slice(chars - 1)) ? cut.replace(/\s+\S*$/, '') : cut.trimEnd()}…`;
}

/** An id with the first words of the text of its record: `f_1 "Nothing says when…"`. The id alone without a text. */
export const withFirstWords = (id: string, text: string): string => {
  const words = shortened(firstParagraph(text), WORDS_CHARS);
  return words === '' ? id : `${id} "${words}"`;
};
