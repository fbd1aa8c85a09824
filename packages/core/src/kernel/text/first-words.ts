/**
 * Matches the last word of a text and the white space before it. Does not match a word of more than 60 characters, so that
 * such a word is cut inside.
 */
const BEGUN_WORD = /\s+\S{1,60}$/;

/**
 * At most `most` characters of a text, including `mark`. A character is a code point. If the text was cut, it ends with
 * `mark`, after a whole word or after the beginning of a long word.
 */
export function firstWords(text: string, most: number, mark = '…'): string {
  if (text.length <= most) return text;
  const chars = [...text];
  if (chars.length <= most) return text;
  const cut = chars.slice(0, most - mark.length).join('');
  const isWordWhole = /^\s/.test(chars[most - mark.length] ?? '');
  return `${(isWordWhole ? cut : cut.replace(BEGUN_WORD, '')).trimEnd()}${mark}`;
}
