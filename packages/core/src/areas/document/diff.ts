import { isRecord } from '../../kernel/text/json-value.ts';
import { memberPath } from './json-pointer.ts';
import type { PatchOp } from './patch.ts';

/** The indices of an element that is in two lists: `before` in the first list, `after` in the second. */
type Kept = readonly [before: number, after: number];

/**
 * Pairs the equal elements of two lists, so that both indices rise from pair to pair. Pairs the k-th of several equal
 * elements of `before` with the k-th of `after`, then keeps the longest sequence of pairs whose indices rise.
 * Takes O(n log n).
 */
function alignment(before: readonly unknown[], after: readonly unknown[]): Kept[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const first = Array.from({ length: head }, (_, index): Kept => [index, index]);
  const middle = longestRising(samePairs(before, after, { head, tail }));
  const last = Array.from(
    { length: tail },
    (_, index): Kept => [before.length - tail + index, after.length - tail + index],
  );
  return [...first, ...middle, ...last];
}

function samePairs(
  before: readonly unknown[],
  after: readonly unknown[],
  { head, tail }: { head: number; tail: number },
): Kept[] {
  const places = new Map<unknown, number[]>();
  for (let index = before.length - tail - 1; index >= head; index -= 1) {
    const known = places.get(before[index]);
    if (known) known.push(index);
    else places.set(before[index], [index]);
  }
  const pairs: Kept[] = [];
  for (let index = head; index < after.length - tail; index += 1) {
    const place = places.get(after[index])?.pop();
    if (place !== undefined) pairs.push([place, index]);
  }
  return pairs;
}

interface Link {
  readonly pair: Kept;
  readonly previous: Link | undefined;
}

/**
 * The longest increasing subsequence of the pairs, by patience sorting. Of all pairs that can end a subsequence of
 * n + 1 pairs, `ends[n]` is the pair with the lowest index `before`.
 */
function longestRising(pairs: readonly Kept[]): Kept[] {
  const ends: Link[] = [];
  for (const pair of pairs) {
    const length = runsBelow(ends, pair[0]);
    ends[length] = { pair, previous: ends[length - 1] };
  }
  const run: Kept[] = [];
  for (let link = ends.at(-1); link; link = link.previous) run.push(link.pair);
  return run.reverse();
}

function runsBelow(ends: readonly Link[], place: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle]?.pair[0] ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Gives equal JSON values the same key, so that values of any depth can be compared with `===`. Visits each value once.
 */
interface TreeKeys {
  /**
   * The key of a value. Equal objects and equal arrays have the same key, whatever the order of members. The key of any
   * other value is the value itself.
   */
  keyOf(value: unknown): unknown;
}

interface Key {
  readonly text: string;
}

function treeKeys(): TreeKeys {
  const shapes = new Map<string, Key>();
  const known = new Map<object, Key>();

  const containerKey = (value: object): Key => {
    const met = known.get(value);
    if (met) return met;
    const shape = Array.isArray(value) ? `[${value.map(textOf).join()}` : `{${memberTexts(value).sort().join()}`;
    const key = shapes.get(shape) ?? { text: `#${shapes.size}` };
    shapes.set(shape, key);
    known.set(value, key);
    return key;
  };

  const memberTexts = (value: object): string[] =>
    Object.entries(value).map(([name, member]) => `${name.length}:${name}${textOf(member)}`);

  const textOf = (value: unknown): string => {
    if (typeof value === 'object' && value !== null) return containerKey(value).text;
    return typeof value === 'string' ? `${value.length}:${value}` : String(value);
  };

  return { keyOf: (value) => (typeof value === 'object' && value !== null ? containerKey(value) : value) };
}

/** Estimated length of an operation's JSON in characters, apart from its path and its value. */
const OP_CHARS = 24;
/**
 * If the operations that change a value are longer than twice the value plus this number of characters, one operation
 * replaces the whole value.
 */
const SLACK_CHARS = 1000;
/**
 * Maximum number of JSON values that are compared in detail, counted on both sides of the change. Beyond this number, a
 * member that differs is replaced as a whole.
 */
const MAX_VALUES = 12_000;
/** Members that identify the elements of an array, in order of preference. */
export const IDENTITIES = ['id', 'filename', 'name'];

/**
 * An operation of a JSON Patch. `before` is the value that the operation replaces or removes. It is absent for `add`,
 * and can be absent if the operation replaces the whole contract.
 */
export interface Change {
  readonly op: PatchOp;
  readonly before?: unknown;
}

interface Run {
  readonly changes: Change[];
  readonly keyOf: (value: unknown) => unknown;
  chars: number;
  valuesLeft: number;
}

type Compare = (run: Run, before: unknown, after: unknown, path: string) => void;

/**
 * The RFC 6902 operations (add, replace, remove) that turn one JSON value into another. If `before` is null, it counts
 * as {}. Elements of arrays are matched by id, filename or name; elements without these are matched if they are equal.
 * Takes O(n log n). `createPatch` of the package rfc6902 is not used, because it is recursive and needs n × m memory:
 * 400 elements take seconds, 12,000 use up the heap.
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

/**
 * Calls `compare`, which adds operations. If these are far longer than the value itself, puts a single operation in
 * their place, which replaces the whole value.
 */
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

/**
 * Compares two values in detail or, if MAX_VALUES is used up, replaces the value as a whole. Equal values are skipped
 * first, so that only differing values count toward MAX_VALUES.
 */
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
    // If no member identifies the elements, those between two pairs of equal elements are compared in their order: an
    // element of `after` may be the changed form of the element of `before`.
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

/**
 * The first name in IDENTITIES that identifies the elements: in both arrays every element has a member with this name,
 * a string that no other element of its array has. Undefined if there is none.
 */
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
