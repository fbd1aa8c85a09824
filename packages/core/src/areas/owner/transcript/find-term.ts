/** A searched word, or the words of a phrase in their order. The words are in lower case and contain no space. */
export type Term = readonly string[];

/** Where a term was found in a text, in UTF-16 units; `end` is the position after the term. */
export interface TermMatch {
  readonly start: number;
  readonly end: number;
}

/** The text in lower case, with the same length. `toLowerCase` alone makes two characters of U+0130. */
export const lowerOf = (text: string): string => text.replaceAll('\u0130', 'i').toLowerCase();

/**
 * Finds the first match of a term at or after `from`: where a word of the text begins with the term. The words of a
 * phrase may have any white space between them. A term that begins with neither letter nor digit is found anywhere.
 *
 * If the term occurs inside a word, the search continues at the next word. So each word of the text is compared with
 * the term only once, for any text and any term.
 *
 * @param lower the text, from `lowerOf`
 */
export function findTerm(lower: string, term: Term, from = 0): TermMatch | undefined {
  const [first = '', ...others] = term;
  for (let start = lower.indexOf(first, from); start !== -1; ) {
    const end = isBeginning(lower, start) ? endOf(lower, start + first.length, others) : undefined;
    if (end !== undefined) return { start, end };
    start = lower.indexOf(first, nextBeginning(lower, start + 1));
  }
  return undefined;
}

/** The position after the other words of a phrase. Undefined if they do not follow at `from`. */
function endOf(lower: string, from: number, others: readonly string[]): number | undefined {
  let end = from;
  for (const word of others) {
    let next = end;
    while (isSpace(lower, next)) next += 1;
    if (next === end || !lower.startsWith(word, next)) return undefined;
    end = next + word.length;
  }
  return end;
}

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code < ASCII_END ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : /\s/.test(text.charAt(position));
}

/** Whether no word goes on at this position: the character there, or the one before, is neither letter nor digit. */
const isBeginning = (text: string, position: number): boolean =>
  !(isInWord(text, position - 1) && isInWord(text, position));

function nextBeginning(text: string, from: number): number {
  let position = from;
  while (position < text.length && !isBeginning(text, position)) position += 1;
  return position;
}

/**
 * Matches a letter, a digit or a mark. Does not match a character of a script that is written without spaces between
 * words, because each such character can begin a word.
 */
const IN_WORD =
  /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}\p{M}]$/u;

/**
 * The first character code after ASCII. ASCII characters are tested by their codes, in a tenth of the time that a
 * regular expression takes.
 */
const ASCII_END = 0x80;

function isInWord(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  if (code < ASCII_END) return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a);
  return IN_WORD.test(text.charAt(position));
}
