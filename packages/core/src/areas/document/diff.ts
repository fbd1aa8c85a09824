import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';
import { isRecord } from '../../kernel/text/json-value.ts';
import { alignment } from './alignment.ts';
import { wordsInLines } from './changed-lines.ts';
import { countLines, differingLines, linesAhead, linesBack } from './differing-lines.ts';
import { memberPath } from './json-pointer.ts';
import type { PatchOp } from './patch.ts';
import { treeKeys } from './tree-keys.ts';

/** Estimated length of the JSON of an operation without its path and its value, in characters. */
const OP_CHARS = 24;
/**
 * If the operations that change a value are longer than twice the value plus this number of characters, one operation
 * replaces the whole value instead.
 */
const SLACK_CHARS = 1000;
/**
 * Maximum number of values, before and after together, that are compared in detail. After that, differing members are
 * replaced as a whole.
 */
const MAX_VALUES = 12_000;
/** Members that identify the elements of an array, in order of preference. */
export const IDENTITIES = ['id', 'filename', 'name'];

/**
 * An operation of a JSON Patch. If it replaces or removes a value, `before` is that value. If it replaces the whole
 * contract, `before` is absent.
 */
export interface Change {
  readonly op: PatchOp;
  readonly before?: unknown;
}

interface Run {
  readonly changes: Change[];
  readonly keyOf: (value: unknown) => unknown;
  /** Estimated length of the JSON of all operations so far. */
  chars: number;
  valuesLeft: number;
}

type Compare = (run: Run, before: unknown, after: unknown, path: string) => void;

/**
 * The RFC 6902 operations (add, replace, remove) that turn one JSON value into another. A `before` of null counts as {}.
 * Elements of arrays are matched by id, filename or name; elements without these are matched if they are equal. Takes O(n
 * log n). createPatch of the package rfc6902 is not used, because it is recursive and needs n × m memory: 400 elements take
 * seconds, 12,000 use up the heap.
 */
export function changesBetween(before: unknown, after: unknown): readonly Change[] {
  const run: Run = { changes: [], keyOf: treeKeys().keyOf, chars: 0, valuesLeft: MAX_VALUES };
  const empty = before ?? {};
  if (isRecord(empty) && isRecord(after) && countMembers(empty) + countMembers(after) <= MAX_VALUES) {
    const compare = () => diffMembers(run, { before: empty, after }, '', diffBounded);
    shortened(run, { before: undefined, after }, '', compare);
  } else {
    diffBounded(run, empty, after, '');
  }
  return run.changes;
}

/** The operations of {@link changesBetween}, without the replaced values. */
export const diffOps = (before: unknown, after: unknown): readonly PatchOp[] =>
  changesBetween(before, after).map(({ op }) => op);

const countMembers = (value: Members): number => Object.keys(value).length;
const jsonOf = (value: unknown): string => JSON.stringify(value) ?? '';

function push(run: Run, op: PatchOp, before?: unknown): void {
  run.changes.push(before === undefined ? { op } : { op, before });
  run.chars += OP_CHARS + op.path.length + (op.op === 'remove' ? 0 : jsonOf(op.value).length);
}

/** Returns one operation that replaces the whole value, if the operations inside the value are far longer than the value. */
function shortened(
  run: Run,
  { before, after }: { readonly before: unknown; readonly after: unknown },
  path: string,
  compare: () => void,
): void {
  const { chars } = run;
  const count = run.changes.length;
  compare();
  const added = run.chars - chars;
  if (added <= SLACK_CHARS || added <= 2 * jsonOf(after).length + SLACK_CHARS) return;
  run.changes.length = count;
  run.chars = chars;
  push(run, { op: 'replace', path, value: after }, before);
}

const replaceWhole: Compare = (run, before, value, path) => push(run, { op: 'replace', path, value }, before);

/** Compares two values. Equal values are skipped first, so that only differing values count toward MAX_VALUES. */
function diffBounded(run: Run, before: unknown, after: unknown, path: string): void {
  if (jsonOf(before) === jsonOf(after)) return;
  const values = countValues(before) + countValues(after);
  const isAffordable = values <= run.valuesLeft;
  if (isAffordable) run.valuesLeft -= values;
  const compare = isAffordable ? diffValues : replaceWhole;
  compare(run, before, after, path);
}

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((count, member) => count + countValues(member), 1)
    : 1;

function diffValues(run: Run, before: unknown, after: unknown, path: string): void {
  if (run.keyOf(before) === run.keyOf(after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    shortened(run, { before, after }, path, () => diffArrays(run, before, after, path));
  } else if (isRecord(before) && isRecord(after)) {
    shortened(run, { before, after }, path, () => diffMembers(run, { before, after }, path, diffValues));
  } else {
    replaceWhole(run, before, after, path);
  }
}

type Members = Readonly<Record<string, unknown>>;

function diffMembers(run: Run, both: { before: Members; after: Members }, path: string, compare: Compare): void {
  const { before, after } = both;
  for (const [name, value] of Object.entries(before)) {
    if (Object.hasOwn(after, name)) compare(run, value, after[name], memberPath(path, name));
    else push(run, { op: 'remove', path: memberPath(path, name) }, value);
  }
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name)) push(run, { op: 'add', path: memberPath(path, name), value });
  }
}

function diffArrays(run: Run, before: readonly unknown[], after: readonly unknown[], path: string): void {
  const identity = identityOf(before, after);
  const keyOf = (element: unknown): unknown =>
    identity === undefined ? run.keyOf(element) : textIn(element, identity);
  let [from, to] = [0, 0];
  for (const [keptFrom, keptTo] of [...alignment(before.map(keyOf), after.map(keyOf)), [before.length, after.length]]) {
    // Here are elements without an id, between two pairs of equal elements. They are compared one by one in their order,
    // because an element may be a changed form of the other.
    while (identity === undefined && from < keptFrom && to < keptTo) {
      diffValues(run, before[from], after[to], memberPath(path, to));
      from += 1;
      to += 1;
    }
    for (; from < keptFrom; from += 1) push(run, { op: 'remove', path: memberPath(path, to) }, before[from]);
    for (; to < keptTo; to += 1) push(run, { op: 'add', path: memberPath(path, to), value: after[to] });
    if (to < after.length) diffValues(run, before[from], after[to], memberPath(path, to));
    from += 1;
    to += 1;
  }
}

/** The first member of IDENTITIES that is a unique string in every element of both arrays; undefined if there is none. */
const identityOf = (before: readonly unknown[], after: readonly unknown[]): string | undefined =>
  IDENTITIES.find((name) => [before, after].every((elements) => isTellingApart(elements, name)));

function isTellingApart(elements: readonly unknown[], name: string): boolean {
  const texts = elements.map((element) => textIn(element, name));
  return texts.every((text) => text !== undefined) && new Set(texts).size === texts.length;
}

function textIn(element: unknown, name: string): string | undefined {
  if (!isRecord(element) || !Object.hasOwn(element, name)) return undefined;
  const text = element[name];
  return typeof text === 'string' ? text : undefined;
}

const CONTEXT_LINES = 3;
const MAX_TEXT_CHARS = 60_000;
const CUT_NOTE = 'The diff is longer; it was cut here.';
/**
 * Limits of the search for the shortest diff: the number of edits, and the number of edits times the number of lines. If the
 * search exceeds a limit, the diff shows all lines as removed and then as added.
 */
const MAX_EDITS = 400;
const MAX_EDITS_TIMES_LINES = 2_000_000;

/**
 * A diff as text.
 * @property truncated true if the text was cut; its last line then says so
 */
export interface TextDiff {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * A unified diff with three lines of context; empty for equal texts. A changed paragraph is one line that begins with `~`
 * and marks the changed words. The work is limited by counts, not by time, so that the same two texts always give the same
 * diff.
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
 * The part of two texts that is compared: the lines from the first to the last difference, and the equal lines around them.
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
  // The limit is below 100 edits only for texts that are so long that splitting them into lines would take too much time.
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

/** The lines of a text, each with the given sign before it. Only as many as fit into the maximum length of a diff. */
function signed(sign: string, text: string): string[] {
  if (text === '') return [];
  const shown = text.slice(0, MAX_TEXT_CHARS);
  const lines = shown.split('\n').map((line) => sign + line);
  return shown.endsWith('\n') ? lines.slice(0, -1) : [...lines, '\\ No newline at end of file'];
}

/** Cuts the diff at the end of a line. If a single line is too long, cuts that line. */
function cut(text: string): TextDiff {
  if (text.length <= MAX_TEXT_CHARS) return { text, truncated: false };
  const room = MAX_TEXT_CHARS - CUT_NOTE.length - 2;
  const lineEnd = text.lastIndexOf('\n', room);
  const shown = text.slice(0, lineEnd > room / 2 ? lineEnd : room);
  // If the text was cut inside a surrogate pair, removes the first half of the pair.
  return { text: `${shown.isWellFormed() ? shown : shown.slice(0, -1)}\n${CUT_NOTE}\n`, truncated: true };
}
