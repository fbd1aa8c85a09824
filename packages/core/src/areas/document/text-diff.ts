import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';
import { wordDiff } from './shown-changes.ts';

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
function wordsInLines(lines: readonly string[]): string[] {
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

/**
 * The lines in which two texts differ. They begin at the position `start` in both texts, and end at the position
 * `beforeEnd` in the first text and `afterEnd` in the second. Positions are in UTF-16 units.
 */
interface DifferingLines {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

function differingLines(before: string, after: string): DifferingLines {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  const start = same === before.length && same === after.length ? same : lineStart(before, same);
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const cut = wholeLines(before, after, tail);
  return { start, beforeEnd: before.length - cut, afterEnd: after.length - cut };
}

/**
 * Shortens the equal end of two texts until it starts at the beginning of a line in both texts. Returns the new length
 * of the equal end.
 */
function wholeLines(before: string, after: string, tail: number): number {
  const isWhole = [before, after].every((text) => lineStart(text, text.length - tail) === text.length - tail);
  if (isWhole) return tail;
  const lineEnd = before.indexOf('\n', before.length - tail);
  return lineEnd < 0 ? 0 : before.length - lineEnd - 1;
}

const lineStart = (text: string, index: number): number => (index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1);

function countLines(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
}

/** Position of the line that is `lines` lines before the line at `start`. 0 if there are fewer lines. */
function linesBack(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at > 0; left -= 1) at = lineStart(text, at - 1);
  return at;
}

/** Position after the `lines` lines that begin at `start`. The end of the text if there are fewer lines. */
function linesAhead(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < text.length; left -= 1) at = text.indexOf('\n', at) + 1 || text.length;
  return at;
}

const CONTEXT_LINES = 3;
const MAX_TEXT_CHARS = 60_000;
const CUT_NOTE = 'The diff is longer; it was cut here.';
/**
 * Limits of the search for the shortest diff: the number of edits, and that number times the number of lines. Beyond a
 * limit, the diff shows all old lines as removed, then all new lines as added.
 */
const MAX_EDITS = 400;
const MAX_EDITS_TIMES_LINES = 2_000_000;

/** @property truncated true if the text was cut; its last line then says so */
export interface TextDiff {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * A unified diff with three lines of context; empty for equal texts. A changed paragraph becomes one line that begins
 * with `~` and marks the changed words. The number of edits is limited instead of the time, so that the same two texts
 * always give the same diff.
 */
export function diffText(before: string, after: string, names: { before: string; after: string }): TextDiff {
  if (before === after) return { text: '', truncated: false };
  const { start, beforeEnd, afterEnd } = differingLines(before, after);
  const from = linesBack(before, start, CONTEXT_LINES);
  const window: Window = {
    lead: before.slice(from, start),
    before: before.slice(start, beforeEnd),
    after: after.slice(start, afterEnd),
    trail: before.slice(beforeEnd, linesAhead(before, beforeEnd, CONTEXT_LINES)),
  };
  const above = countLines(before.slice(0, from));
  const hunks = (shortestHunks(window) ?? [blockHunk(window)]).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + above,
    newStart: hunk.newStart + above,
    lines: wordsInLines(hunk.lines),
  }));
  const patch = { oldFileName: names.before, newFileName: names.after, oldHeader: '', newHeader: '', hunks };
  return cut(formatPatch(patch, FILE_HEADERS_ONLY));
}

/**
 * The part of two texts that is compared: the lines from the first difference to the last, and the equal lines around
 * them.
 */
interface Window {
  readonly lead: string;
  readonly before: string;
  readonly after: string;
  readonly trail: string;
}

function shortestHunks({ lead, before, after, trail }: Window): StructuredPatchHunk[] | undefined {
  const edits = Math.min(MAX_EDITS, Math.floor(MAX_EDITS_TIMES_LINES / (countLines(before) + countLines(after))));
  const options = { context: CONTEXT_LINES, maxEditLength: edits };
  // The limit is below 100 edits only for texts so long that splitting them into lines would take too much time.
  if (edits < 100) return undefined;
  return structuredPatch('', '', lead + before + trail, lead + after + trail, '', '', options)?.hunks;
}

function blockHunk({ lead, before, after, trail }: Window): StructuredPatchHunk {
  return {
    oldStart: 1,
    oldLines: countLines(lead + before + trail),
    newStart: 1,
    newLines: countLines(lead + after + trail),
    lines: [...signed(' ', lead), ...signed('-', before), ...signed('+', after), ...signed(' ', trail)],
  };
}

/** Puts `sign` before each line of a text. Leaves out the lines beyond the maximum length of a diff. */
function signed(sign: string, text: string): string[] {
  if (text === '') return [];
  const shown = text.slice(0, MAX_TEXT_CHARS);
  const lines = shown.split('\n').map((line) => sign + line);
  return shown.endsWith('\n') ? lines.slice(0, -1) : [...lines, '\\ No newline at end of file'];
}

/** Cuts a long diff at the end of a line. If that would remove more than half of the text, cuts inside the line. */
function cut(text: string): TextDiff {
  if (text.length <= MAX_TEXT_CHARS) return { text, truncated: false };
  const room = MAX_TEXT_CHARS - CUT_NOTE.length - 2;
  const lineEnd = text.lastIndexOf('\n', room);
  const shown = text.slice(0, lineEnd > room / 2 ? lineEnd : room);
  // A cut inside a surrogate pair leaves the first half of the pair, which is removed here.
  return { text: `${shown.isWellFormed() ? shown : shown.slice(0, -1)}\n${CUT_NOTE}\n`, truncated: true };
}
