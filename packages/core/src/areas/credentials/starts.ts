import type { CredentialPattern } from './pattern.ts';

/** A start of a pattern, as the search compares it. */
interface Start {
  readonly literal: string;
  readonly row: number;
  readonly at: CredentialPattern['at'];
}

/** By the first two characters, in one letter case: which starts may stand at a place. */
export interface StartTable {
  /** For each pair the number of its list; 0 for none. */
  readonly listOfPair: Uint16Array;
  readonly lists: readonly (readonly Start[])[];
}

const ASCII = 128;

/** Lower case of each ASCII code. */
const FOLDED = Uint8Array.from({ length: ASCII }, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));

const foldedCode = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return code < ASCII ? (FOLDED[code] ?? 0) : 0;
};

export function tableOf(patterns: readonly CredentialPattern[]): StartTable {
  const listOfPair = new Uint16Array(ASCII * ASCII);
  const lists: Start[][] = [[]];
  for (const [row, { starts, at }] of patterns.entries()) {
    for (const literal of starts) {
      const pair = foldedCode(literal, 0) * ASCII + foldedCode(literal, 1);
      if (!listOfPair[pair]) listOfPair[pair] = lists.push([]) - 1;
      lists[listOfPair[pair] ?? 0]?.push({ literal: at === 'name' ? literal.toLowerCase() : literal, row, at });
    }
  }
  return { listOfPair, lists };
}

/** Calls `visit` for each place where a pattern may fit, in the order of the text, until it says that it has enough. */
export function visitStarts(
  { listOfPair, lists }: StartTable,
  text: string,
  visit: (row: number, index: number) => boolean,
): void {
  let first = foldedCode(text, 0);
  for (let index = 0; index + 1 < text.length; index += 1) {
    const second = foldedCode(text, index + 1);
    const list = listOfPair[first * ASCII + second];
    if (list) {
      for (const start of lists[list] ?? []) if (standsAt(start, text, index) && visit(start.row, index)) return;
    }
    first = second;
  }
}

function standsAt({ literal, at }: Start, text: string, index: number): boolean {
  if (at === 'name') return isNameAt(literal, text, index);
  if (at === 'word' && !isWordStart(text, index)) return false;
  for (let offset = 0; offset < literal.length; offset += 1)
    if (text.charCodeAt(index + offset) !== literal.charCodeAt(offset)) return false;
  return true;
}

/** The first two characters have been compared. */
function isNameAt(name: string, text: string, index: number): boolean {
  for (let offset = 2; offset < name.length; offset += 1)
    if (foldedCode(text, index + offset) !== name.charCodeAt(offset)) return false;
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
