import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';
import { wordsInLines } from './changed-lines.ts';
import { countLines, differingLines, linesAhead, linesBack } from './differing-lines.ts';

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
