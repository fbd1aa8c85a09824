import type { CredentialPattern } from './pattern.ts';

/** A start of a pattern, as the search compares it. */
interface Start {
  readonly literal: string;
  readonly row: number;
}

/** Starts by their first two characters. */
interface Pairs {
  /** For each pair the number of its list; 0 for none. */
  readonly listOfPair: Uint16Array;
  readonly lists: readonly (readonly Start[])[];
}

/** Where the patterns may fit, by where their starts count. Names stand in lower case, and so are they looked up. */
export type StartTable = Readonly<Record<CredentialPattern['at'], Pairs>> & {
  /** For each pair as it stands in a text whether any list has it: nearly none does, and that is soon seen. */
  readonly isStart: Uint8Array;
};

const ASCII = 128;

/** Lower case of each ASCII code. */
const FOLDED = Uint8Array.from({ length: ASCII }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));

const asciiCode = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return code < ASCII ? code : 0;
};
const foldedCode = (text: string, index: number): number => FOLDED[asciiCode(text, index)] ?? 0;

export function tableOf(patterns: readonly CredentialPattern[]): StartTable {
  const [word, anywhere, name] = [pairsOf(patterns, 'word'), pairsOf(patterns, 'anywhere'), pairsOf(patterns, 'name')];
  const isStart = Uint8Array.from({ length: ASCII * ASCII }, (_, pair) =>
    word.listOfPair[pair] || anywhere.listOfPair[pair] || name.listOfPair[foldedPair(pair)] ? 1 : 0,
  );
  return { word, anywhere, name, isStart };
}

const foldedPair = (pair: number): number =>
  (FOLDED[Math.floor(pair / ASCII)] ?? 0) * ASCII + (FOLDED[pair % ASCII] ?? 0);

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

/** Calls `visit` for each place where a pattern may fit, in the order of the text, until it says that it has enough. */
export function visitStarts(
  { word, anywhere, name, isStart }: StartTable,
  text: string,
  visit: (row: number, index: number) => boolean,
): void {
  let first = asciiCode(text, 0);
  for (let index = 0; index + 1 < text.length; index += 1) {
    const second = asciiCode(text, index + 1);
    const pair = first * ASCII + second;
    first = second;
    if (isStart[pair] === 0) continue;
    const words = word.listOfPair[pair];
    if (words && isWordStart(text, index)) {
      for (const start of word.lists[words] ?? []) if (isAt(start, text, index) && visit(start.row, index)) return;
    }
    const others = anywhere.listOfPair[pair];
    if (others) {
      for (const start of anywhere.lists[others] ?? []) if (isAt(start, text, index) && visit(start.row, index)) return;
    }
    const names = name.listOfPair[foldedPair(pair)];
    if (names) {
      for (const start of name.lists[names] ?? []) if (isNameAt(start, text, index) && visit(start.row, index)) return;
    }
  }
}

/** The first two characters have been compared, here and below. */
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

/** An escaped line end or a percent-encoded sign before it ends the word before. */
function isWordStart(text: string, index: number): boolean {
  if (index === 0 || IS_ALPHANUMERIC[text.charCodeAt(index - 1)] !== 1) return true;
  const marker = text.charCodeAt(index - 2);
  if (marker !== BACKSLASH && text.charCodeAt(index - 3) !== PERCENT) return false;
  return ESCAPED_BEFORE.test(text.slice(Math.max(0, index - 3), index));
}

const BACKSLASH = 92;
const PERCENT = 37;
