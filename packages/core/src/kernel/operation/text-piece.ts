import { costOf } from './bounded-lists.ts';

export interface TextPiece {
  readonly text: string;
  /** Position after the piece. For the last piece, the length of the whole text. */
  readonly end: number;
}

/**
 * Returns the longest piece of a text that begins at a position and fits into a size limit. Never splits a character.
 *
 * @param maxCost maximum size in bytes, as `costOf` counts
 */
export function textPiece(whole: string, from: number, maxCost: number): TextPiece {
  const start = wholeCharacter(whole, Math.min(from, whole.length));
  const rest = whole.slice(start);
  if (costOf(rest) <= maxCost) return { text: rest, end: whole.length };
  let [fits, beyond] = [0, rest.length];
  while (beyond - fits > 1) {
    const middle = (fits + beyond) >>> 1;
    if (costOf(rest.slice(0, middle)) <= maxCost) fits = middle;
    else beyond = middle;
  }
  const end = wholeCharacter(whole, start + fits);
  return { text: whole.slice(start, end), end };
}

/** Returns `at`, or `at - 1` if `at` is inside a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  return isInside ? at - 1 : at;
}
