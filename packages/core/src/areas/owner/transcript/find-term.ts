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
 * phrase may have any spaces and hyphens between them. A term that begins with neither letter nor digit is found anywhere.
 *
 * Also finds a term that the text writes in other parts, as `timeout` in "time-out" and `time out` in "timeout". Such a
 * match must end where a word of the text ends.
 *
 * If the term occurs inside a word, the search continues at the next word. So each word of the text is compared with
 * the term only once, for any text and any term.
 *
 * @param lower the text, from `lowerOf`
 */
export function findTerm(lower: string, term: Term, from = 0): TermMatch | undefined {
  const head = term[0]?.charAt(0) ?? '';
  for (let start = lower.indexOf(head, from); start !== -1; ) {
    const end = isBeginning(lower, start) ? endOf(lower, start, term) : undefined;
    if (end !== undefined) return { start, end };
    start = lower.indexOf(head, nextBeginning(lower, start + 1));
  }
  return undefined;
}

/** The position after a term that begins at `start`. Undefined if the term does not stand there. */
function endOf(lower: string, start: number, term: Term): number | undefined {
  let end = start;
  let isOther = false;
  for (const [index, word] of term.entries()) {
    if (index > 0) {
      const next = afterSeparators(lower, end);
      if (next === end) isOther = true;
      end = next;
    }
    const read = readWord(lower, end, word);
    if (!read) return undefined;
    if (read.isSplit) isOther = true;
    end = read.end;
  }
  return isOther && !isBeginning(lower, end) ? undefined : end;
}

interface ReadWord {
  readonly end: number;
  readonly isSplit: boolean;
}

/** Reads a word that the text may write in parts. A single letter before a space is not a part: "a way" is not `away`. */
function readWord(lower: string, from: number, word: string): ReadWord | undefined {
  let end = from;
  let part = from;
  for (let at = 0; at < word.length; at += 1) {
    if (at > 0 && lower.charCodeAt(end) !== word.charCodeAt(at)) {
      if (end - part < 2 && isSpace(lower, end)) return undefined;
      part = afterSeparators(lower, end);
      end = part;
    }
    if (lower.charCodeAt(end) !== word.charCodeAt(at)) return undefined;
    end += 1;
  }
  return { end, isSplit: part !== from };
}

function afterSeparators(text: string, from: number): number {
  let position = from;
  while (isSpace(text, position) || isHyphen(text, position)) position += 1;
  return position;
}

const HYPHENS = new Set([0x2d, 0x2010, 0x2011]);

const isHyphen = (text: string, position: number): boolean => HYPHENS.has(text.charCodeAt(position));

/**
 * The text without spaces and hyphens. If the result for a text lacks the result for a term, the text does not contain
 * the term.
 *
 * @param json a text, or the JSON of a text
 */
export const withoutSeparators = (json: string): string =>
  json.replaceAll(/(\\\\)|\\[bfnrt]|[\s\-\u2010\u2011]/g, '$1');

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code < ASCII_END ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : /\s/.test(text.charAt(position));
}

/** Whether no word goes on at this position: the character there, or the one before, is neither letter nor digit. */
export const isBeginning = (text: string, position: number): boolean =>
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
