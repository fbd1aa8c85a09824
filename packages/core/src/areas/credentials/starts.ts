import type { CredentialPattern } from './pattern.ts';

/** A literal text with which matches of a pattern begin, and the index `row` of that pattern. */
interface Start {
  readonly literal: string;
  readonly row: number;
}

/** A table of literal texts by their first two characters. */
interface Pairs {
  /** For each pair of characters, the index of a list in `lists`. 0 if no literal begins with the pair. */
  readonly listOfPair: Uint16Array;
  readonly lists: readonly (readonly Start[])[];
}

/** The literals of all patterns, in one table for each value of `at`. Literals of `name` are compared in lower case. */
export type StartTable = Readonly<Record<CredentialPattern['at'], Pairs>> & {
  /**
   * By the low bits of three adjacent characters: 0 if no literal begins with these characters. Most places in a text
   * have the value 0 and are skipped.
   */
  readonly mayStart: Uint8Array;
};

const ASCII = 128;

const FOLDED = Uint8Array.from({ length: ASCII }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));

const asciiCode = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return code < ASCII ? code : 0;
};
const foldedCode = (text: string, index: number): number => FOLDED[asciiCode(text, index)] ?? 0;

export function tableOf(patterns: readonly CredentialPattern[]): StartTable {
  const [word, anywhere, name] = [pairsOf(patterns, 'word'), pairsOf(patterns, 'anywhere'), pairsOf(patterns, 'name')];
  const mayStart = new Uint8Array(TRIPLE + 1);
  for (const literal of patterns.flatMap(({ starts }) => starts)) {
    const [first, second, third] = [0, 1, 2].map((index) => literal.charCodeAt(index) & LOW_BITS);
    const pair = ((first ?? 0) << (2 * BITS)) | ((second ?? 0) << BITS);
    if (literal.length > 2) mayStart[pair | (third ?? 0)] = 1;
    else mayStart.fill(1, pair, pair + LOW_BITS + 1);
  }
  return { word, anywhere, name, mayStart };
}

/** Number of low bits by which a character is indexed. A letter has the same low bits in upper and lower case. */
const BITS = 5;
const LOW_BITS = 31;
const TRIPLE = 2 ** (3 * BITS) - 1;

function pairsOf(patterns: readonly CredentialPattern[], where: CredentialPattern['at']): Pairs {
  const listOfPair = new Uint16Array(ASCII * ASCII);
  const lists: Start[][] = [[]];
  for (const [row, { starts, at }] of patterns.entries()) {
    for (const literal of at === where ? starts : []) {
      const pair = asciiCode(literal, 0) * ASCII + asciiCode(literal, 1);
      if (!listOfPair[pair]) listOfPair[pair] = lists.push([]) - 1;
      lists[listOfPair[pair] ?? 0]?.push({ literal, row });
    }
  }
  return { listOfPair, lists };
}

/**
 * Calls `visit` for each place where a pattern may match, from the beginning of the text. Stops when `visit` returns
 * true.
 */
export function visitStarts(
  { word, anywhere, name, mayStart }: StartTable,
  text: string,
  visit: (row: number, index: number) => boolean,
): void {
  let triple = ((text.charCodeAt(0) & LOW_BITS) << BITS) | (text.charCodeAt(1) & LOW_BITS);
  // Every credential has at least three characters, so none begins at the last two positions.
  for (let end = 2; end < text.length; end += 1) {
    triple = ((triple << BITS) & TRIPLE) | (text.charCodeAt(end) & LOW_BITS);
    if (mayStart[triple] === 0) continue;
    const index = end - 2;
    const pair = asciiCode(text, index) * ASCII + asciiCode(text, index + 1);
    const words = word.listOfPair[pair];
    if (words && isWordStart(text, index)) {
      for (const start of word.lists[words] ?? []) if (isAt(start, text, index) && visit(start.row, index)) return;
    }
    const others = anywhere.listOfPair[pair];
    if (others) {
      for (const start of anywhere.lists[others] ?? []) if (isAt(start, text, index) && visit(start.row, index)) return;
    }
    const names = name.listOfPair[foldedCode(text, index) * ASCII + foldedCode(text, index + 1)];
    if (names) {
      for (const start of name.lists[names] ?? []) if (isNameAt(start, text, index) && visit(start.row, index)) return;
    }
  }
}

/** Compares from the third character on, because the lookup in the table has compared the first two already. */
function isAt({ literal }: Start, text: string, index: number): boolean {
  for (let offset = 2; offset < literal.length; offset += 1)
    if (text.charCodeAt(index + offset) !== literal.charCodeAt(offset)) return false;
  return true;
}

function isNameAt({ literal }: Start, text: string, index: number): boolean {
  for (let offset = 2; offset < literal.length; offset += 1)
    if (foldedCode(text, index + offset) !== literal.charCodeAt(offset)) return false;
  return true;
}

const IS_ALPHANUMERIC = Uint8Array.from({ length: ASCII }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const ESCAPED_BEFORE = /\\[nrt]$|%[0-9A-Fa-f]{2}$/;

/**
 * Whether a word starts at the index. A character after an escaped line end (`\n`) or after a percent-encoded character
 * (`%20`) starts a word too.
 */
function isWordStart(text: string, index: number): boolean {
  if (index === 0 || IS_ALPHANUMERIC[text.charCodeAt(index - 1)] !== 1) return true;
  const marker = text.charCodeAt(index - 2);
  if (marker !== BACKSLASH && text.charCodeAt(index - 3) !== PERCENT) return false;
  return ESCAPED_BEFORE.test(text.slice(Math.max(0, index - 3), index));
}

const BACKSLASH = 92;
const PERCENT = 37;
