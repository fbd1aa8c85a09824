import { textWidth } from '../../../text/width.ts';

/** Matches a string with the punctuation after it, or other text up to the next string or blank. */
const TOKENS = /"(?:[^"\\]|\\.)*"?[^\s"]*|[^\s"]+/g;

/**
 * Wraps a line of JSON between its tokens. A string that is longer than the line is not broken, so that a person can
 * copy the string.
 */
export function jsonLines(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const [token] of line.matchAll(TOKENS)) {
    const isFirst = current.trim() === '';
    if (!isFirst && textWidth(`${current} ${token}`) > columns) {
      lines.push(current);
      current = `${indent}  ${token}`;
    } else current = isFirst ? current + token : `${current} ${token}`;
  }
  return [...lines, current];
}
