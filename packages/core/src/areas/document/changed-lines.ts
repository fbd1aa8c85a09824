import { wordDiff } from '../word-diff.ts';

/**
 * A line of more than `LONG_LINE_CHARS` characters counts as a paragraph. In a changed paragraph the changed words are
 * marked; an unchanged paragraph is cut to `CONTEXT_LINE_CHARS` characters.
 */
const LONG_LINE_CHARS = 160;
const CONTEXT_LINE_CHARS = 80;
const MAX_CANDIDATES = 8;

/**
 * Shortens the paragraphs in the lines of a hunk. A paragraph is a line of more than `LONG_LINE_CHARS` characters. A
 * removed paragraph and the added paragraph that is its changed form become one line, which begins with `~` and marks
 * the changed words. An unchanged paragraph is cut. Shorter lines stay as they are.
 */
export function wordsInLines(lines: readonly string[]): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed.length, '+');
    const length = removed.length + added.length;
    if (length > 0) shown.push(...blockLines(removed, added));
    else shown.push(contextLine(lines[at] ?? ''));
    at += Math.max(length, 1);
  }
  return shown;
}

function runOf(lines: readonly string[], from: number, sign: string): string[] {
  const end = lines.findIndex((line, index) => index >= from && !line.startsWith(sign));
  return lines.slice(from, end === -1 ? lines.length : end);
}

function blockLines(removed: readonly string[], added: readonly string[]): string[] {
  const shown: string[] = [];
  let next = 0;
  for (const line of removed) {
    const found = line.length > LONG_LINE_CHARS ? sameParagraph(line, added.slice(next, next + MAX_CANDIDATES)) : null;
    if (found) {
      shown.push(...added.slice(next, next + found.index), `~${found.words}`);
      next += found.index + 1;
    } else {
      shown.push(line);
    }
  }
  return [...shown, ...added.slice(next)];
}

/**
 * The first candidate that is a changed form of `line`: the word diff of the two is shorter than half of their joint
 * length. Null if there is none.
 */
function sameParagraph(line: string, candidates: readonly string[]): { index: number; words: string } | null {
  for (const [index, candidate] of candidates.entries()) {
    if (candidate.length <= LONG_LINE_CHARS) continue;
    const words = wordDiff(line.slice(1), candidate.slice(1));
    if (words.length < (line.length + candidate.length) / 2) return { index, words };
  }
  return null;
}

function contextLine(line: string): string {
  if (!line.startsWith(' ') || line.length <= LONG_LINE_CHARS) return line;
  const shown = line.slice(0, CONTEXT_LINE_CHARS);
  return `${shown.isWellFormed() ? shown : shown.slice(0, -1)}…`;
}
