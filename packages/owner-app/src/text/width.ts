import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Matches characters that take no column: combining marks, joiners, and the selector for the text form of an emoji.
 * Marks that are newer than Unicode 13 or outside of the first plane are not matched, because older terminals give them
 * a column. The selector for the emoji form is not matched, because it makes a narrow character wide.
 */
const WITHOUT_COLUMN =
  /(?![\u0897-\u089f]|[\u1abf-\u1aff]|[\u{10000}-\u{10ffff}]|\u0b55|\u0c3c|\u0ece|\u1dfa|\ua82c|\ufe0f)[\p{Mn}\p{Me}\u200c\u200d]/u;

/**
 * Matches characters that some terminals draw two columns wide, although Unicode defines one column: numbers in
 * squares, pictures, halves of flags, unassigned code points.
 */
const MAYBE_WIDE = /[\u3248-\u324f\u{1f000}-\u{1faff}\p{Cn}]/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The largest number of columns that a text without escape sequences can take in a terminal. The widths of all code
 * points are added, because terminals differ in which code points they combine. If the result were too small, the
 * terminal would break the line, and the rest of an agent's text could look like output of the program.
 */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const letter of text) columns += letterWidth(letter);
  return columns;
}

function letterWidth(letter: string): number {
  if (WITHOUT_COLUMN.test(letter)) return 0;
  return MAYBE_WIDE.test(letter) ? 2 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}

/**
 * Wraps a text to a width. Line breaks in the text stay.
 *
 * @param longWords `cut` splits a word that is longer than a line; `keep` does not, so that a person can copy the word
 */
export function wrapText(text: string, columns: number, longWords: 'cut' | 'keep' = 'cut'): string[] {
  const width = Math.max(10, columns);
  return text.split('\n').flatMap((line) => wrapLine(line.replace(/\t/g, '  '), width, longWords));
}

function wrapLine(line: string, width: number, longWords: 'cut' | 'keep'): string[] {
  if (textWidth(line) <= width) return [line.trimEnd()];
  const lines: string[] = [];
  let current = '';
  // Added up: measured anew for each word, a line of blanks would take a time that grows with the square of its length.
  let used = 0;
  const words = line.split(/(?<=\s)/);
  for (const word of longWords === 'cut' ? words.flatMap((part) => cutWord(part, width)) : words) {
    const letters = word.trimEnd();
    if (current !== '' && letters !== '' && used + textWidth(letters) > width) {
      lines.push(current.trimEnd());
      current = '';
      used = 0;
    }
    current += word;
    used += textWidth(word);
  }
  return [...lines, current.trimEnd()];
}

function cutWord(word: string, width: number): string[] {
  if (textWidth(word.trimEnd()) <= width) return [word];
  const pieces: string[] = [''];
  let used = 0;
  for (const part of uncutParts(word, width)) {
    const columns = textWidth(part);
    used += columns;
    if (used > width) {
      pieces.push('');
      used = columns;
    }
    pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/** Characters that are segmented at a time, because the time of a segmenter grows with the square of the length. */
const SEGMENTED_CHARS = 1_000;

/** The graphemes of a text. A grapheme at the end of `SEGMENTED_CHARS` characters may be split into code points. */
function* graphemesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isPair = (text.codePointAt(from + SEGMENTED_CHARS - 1) ?? 0) > 0xffff;
    const piece = text.slice(from, from + SEGMENTED_CHARS + (isPair ? 1 : 0));
    for (const { segment } of graphemes.segment(piece)) yield segment;
    from += piece.length;
  }
}

/**
 * The graphemes of a word. A grapheme that is wider than a line, such as a long run of Hangul initial consonants, is
 * split into code points.
 */
const uncutParts = (word: string, width: number): string[] =>
  Array.from(graphemesOf(word)).flatMap((grapheme) => (textWidth(grapheme) > width ? [...grapheme] : [grapheme]));

/** Shortens a text to at most the given number of columns. A shortened text ends with an ellipsis. */
export function shortenText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let shown = '';
  let used = textWidth('…');
  for (const grapheme of graphemesOf(text)) {
    used += textWidth(grapheme);
    if (used > columns) break;
    shown += grapheme;
  }
  return `${shown.trimEnd()}…`;
}

export const padText = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)));
