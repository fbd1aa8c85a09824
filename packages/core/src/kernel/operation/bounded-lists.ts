import { z } from 'zod';
import { MAX_ANSWER_BYTES } from '../limits.ts';
import { type Reply, replyOf } from './host-port.ts';
import { namedObject } from './json-schema.ts';
import type { Operation } from './operation.ts';

/**
 * Returns the number of bytes that a value takes in an MCP answer, which contains each result twice: as JSON, and as
 * JSON inside a text.
 */
export const costOf = (value: unknown): number => costOfJson(JSON.stringify(value) ?? '');

export const costOfJson = (json: string): number => Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));

/**
 * A note in an answer that leaves out records: how many are missing, and the call that reads them. Absent if the answer
 * contains all records.
 */
export const LeftOut = namedObject('LeftOut', {
  count: z.int().describe('Number of records left out of this answer.'),
  how: z.string().describe('How to read the records left out.'),
});
export type LeftOut = z.output<typeof LeftOut>;

export const LEFT_OUT = { left_out: LeftOut.optional() };

export interface ListSource<R, V> {
  /** All records of the list, oldest first. */
  readonly records: readonly R[];
  readonly view: (record: R) => V;
  /**
   * Whether a record is open or current: the answer contains such records before all others. If absent, all records are current.
   */
  readonly isCurrent?: (record: R) => boolean;
  /**
   * Returns a sentence that names the call for the remaining records.
   *
   * @param last the last record that the answer contains
   */
  readonly how: (last: R | undefined) => string;
}

/** The lists of one answer, which share one size limit. */
export interface BoundedLists {
  /**
   * Adds a list. Returns a function that returns the records that fit, oldest first. Call that function only after all lists
   * were added.
   */
  list<R, V>(source: ListSource<R, V>): () => V[];
  /** Adds a note about records that are missing for another reason than the size of the answer. */
  leave(part: LeftOut): void;
  leftOut(): { left_out?: LeftOut };
}

interface List {
  readonly spent: number;
  /**
   * Adds the next record of the list to the answer, if the record takes at most `left` bytes. Returns false if the record takes
   * more, or if no record remains.
   */
  showNext(left: number): boolean;
  leftOut(): LeftOut | undefined;
}

/**
 * Creates the lists of one answer, and chooses the records that fit. Each list adds its current records first,
 * beginning with the oldest, then its other records, beginning with the newest. A list ends at its first record that
 * does not fit.
 *
 * @param maxCost maximum size of all lists together, in bytes as {@link costOf} counts; the first record of each list
 * is added even if it exceeds this size
 */
export function boundedLists(maxCost: number): BoundedLists {
  const lists: List[] = [];
  const left: LeftOut[] = [];
  let isFilled = false;
  const fill = (): void => {
    if (!isFilled) share(lists, maxCost);
    isFilled = true;
  };
  return {
    list(source) {
      const { list, shown } = createList(source);
      lists.push(list);
      return () => {
        fill();
        return shown();
      };
    },
    leave: (part) => void left.push(part),
    leftOut() {
      fill();
      return sumOf([...lists.flatMap((list) => list.leftOut() ?? []), ...left]);
    },
  };
}

/**
 * Divides the size limit among the lists. Repeatedly, the list that has used the fewest bytes adds its next record. Ends
 * when no list has a record that fits.
 */
function share(lists: readonly List[], maxCost: number): void {
  const waiting = new Set(lists);
  let left = maxCost;
  while (waiting.size > 0) {
    const list = [...waiting].reduce((least, other) => (other.spent < least.spent ? other : least));
    const before = list.spent;
    if (!list.showNext(left)) waiting.delete(list);
    left -= list.spent - before;
  }
}

function createList<R, V>({ records, view, isCurrent = () => true, how }: ListSource<R, V>) {
  const order = inOrder(records, isCurrent);
  const shown: { readonly index: number; readonly view: V }[] = [];
  let spent = 0;
  const sorted = () => shown.toSorted((one, other) => one.index - other.index);
  const list: List = {
    get spent() {
      return spent;
    },
    showNext(left) {
      const next = order[shown.length];
      if (next === undefined) return false;
      const shownView = view(next.record);
      const cost = costOf(shownView);
      if (shown.length > 0 && cost > left) return false;
      shown.push({ index: next.index, view: shownView });
      spent += cost;
      return true;
    },
    leftOut() {
      const count = records.length - shown.length;
      const last = sorted().at(-1)?.index;
      return count === 0 ? undefined : { count, how: how(last === undefined ? undefined : records[last]) };
    },
  };
  return { list, shown: () => sorted().map((item) => item.view) };
}

function inOrder<R>(records: readonly R[], isCurrent: (record: R) => boolean) {
  const all = records.map((record, index) => ({ record, index, isCurrent: isCurrent(record) }));
  return [...all.filter((item) => item.isCurrent), ...all.filter((item) => !item.isCurrent).reverse()];
}

function sumOf(parts: readonly LeftOut[]): { left_out?: LeftOut } {
  const [first, ...others] = parts;
  if (!first) return {};
  if (others.length === 0) return { left_out: first };
  const how = parts.map((part) => `${part.count}: ${part.how}`).join(' ');
  return { left_out: { count: parts.reduce((sum, { count }) => sum + count, 0), how } };
}

interface TextPiece {
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
  const { length } = longestStart(rest, (text) => costOf(text) <= maxCost);
  const end = wholeCharacter(whole, start + length);
  return { text: whole.slice(start, end), end };
}

/** The longest start of a text that fits, but not all of it. Found by bisection, because characters differ in size. */
function longestStart(text: string, fits: (start: string) => boolean): string {
  let [most, beyond] = [0, text.length];
  while (beyond - most > 1) {
    const middle = (most + beyond) >>> 1;
    if (fits(text.slice(0, middle))) most = middle;
    else beyond = middle;
  }
  return text.slice(0, most);
}

/** Returns `at`, or `at - 1` if `at` is inside a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  return isInside ? at - 1 : at;
}

/**
 * Bytes reserved for the parts of a JSON-RPC answer other than the tool's result. One of these parts is the id of the
 * request, which can have 10,000 characters.
 */
const ENVELOPE_BYTES = 45_000;
/** Maximum bytes that one UTF-16 unit of a JSON text takes: 3 in UTF-8, and 6 in an MCP answer, which contains the text twice. */
const MAX_UNIT_BYTES = 3;
const MAX_UNIT_COST = 6;

/**
 * Cuts the result of an operation to the maximum size of a REST answer. Operations limit their lists, but a single record
 * can be too long, such as a turn of 200,000 characters of four bytes each. The longest texts and lists are cut.
 */
export function fitRoute(reply: Reply): Reply {
  const { text } = reply;
  if (text.length * MAX_UNIT_BYTES <= MAX_ANSWER_BYTES || Buffer.byteLength(text) <= MAX_ANSWER_BYTES) return reply;
  return replyOf(
    cutTo(reply.value, {
      limit: MAX_ANSWER_BYTES,
      measure: Buffer.byteLength,
      how: `${CUT_TEXTS} The log contains the complete texts.`,
    }),
  );
}

/** The JSON text of an answer to the owner, cut to the maximum size of a REST answer. */
export const answerText = (value: unknown): string => fitRoute(replyOf(value)).text;

/**
 * Cuts the result of an operation to the maximum size of an MCP answer, which contains the result twice. If something was
 * cut, a note names the REST route, because a REST answer can contain twice as much text.
 */
export function fitTool<S>(reply: Reply, { rest }: Pick<Operation<S>, 'rest'>): Reply {
  const limit = MAX_ANSWER_BYTES - ENVELOPE_BYTES;
  const { text } = reply;
  if (text.length * MAX_UNIT_COST <= limit || costOfJson(text) <= limit) return reply;
  const route = typeof rest === 'object' ? rest.builder : rest;
  const how = `${CUT_TEXTS} Over REST, ${route ?? 'an answer'} can contain twice as much text.`;
  return replyOf(cutTo(reply.value, { limit, measure: costOfJson, how }));
}

const CUT = '…';
const CUT_TEXTS = `The answer was too long: texts that end in "${CUT}" and some lists were cut.`;

interface Bounds {
  readonly limit: number;
  readonly measure: (json: string) => number;
  readonly how: string;
}

/** Cuts the longest texts and lists of an answer until it fits, and adds a note about the cuts. */
function cutTo(value: unknown, { limit, measure, how }: Bounds): unknown {
  const { left_out: before, ...answer }: { readonly left_out?: LeftOut } = Object(value);
  const room =
    limit - measure(JSON.stringify({ left_out: { count: 999_999_999, how: `${before?.how ?? ''} ${how}` } }));
  const cutting: Cutting = { measure, sizes: new Map(), cuts: 0 };
  const fitted = cutValue(cutting, answer, room);
  const left_out = {
    count: cutting.cuts + (before?.count ?? 0),
    how: before ? `${before.count}: ${before.how} ${cutting.cuts}: ${how}` : how,
  };
  return { ...Object(fitted), left_out };
}

interface Cutting {
  readonly measure: Bounds['measure'];
  readonly sizes: Map<object, number>;
  cuts: number;
}

/** Number of bytes that a value takes in the answer. The sizes of objects and arrays are cached. */
function sizeOf(cutting: Cutting, value: unknown): number {
  if (typeof value !== 'object' || value === null) return cutting.measure(JSON.stringify(value) ?? '');
  const known = cutting.sizes.get(value);
  if (known !== undefined) return known;
  const size = partsOf(value).reduce((sum, [name, part]) => sum + nameSize(cutting, name) + sizeOf(cutting, part), 4);
  cutting.sizes.set(value, size);
  return size;
}

type Part = readonly [name: string | undefined, value: unknown];

const partsOf = (value: object): Part[] =>
  Array.isArray(value) ? value.map((part: unknown) => [undefined, part]) : Object.entries(value);

/**
 * Bytes that the name of a member takes in the answer, with its quotation marks. Colon and comma count 4 bytes, because an MCP
 * answer contains the result twice.
 */
const nameSize = ({ measure }: Cutting, name: string | undefined): number =>
  name === undefined ? 4 : measure(JSON.stringify(name)) + 4;

function cutValue(cutting: Cutting, value: unknown, room: number): unknown {
  if (sizeOf(cutting, value) <= room) return value;
  cutting.cuts += 1;
  if (typeof value === 'string') return cutText(cutting, value, room);
  if (typeof value !== 'object' || value === null) return null;
  cutting.cuts -= 1;
  return cutParts(cutting, value, room);
}

/** Cuts a text at its end so that it takes at most `room` bytes. */
function cutText({ measure }: Cutting, text: string, room: number): string {
  const kept = longestStart(text, (start) => measure(JSON.stringify(start + CUT)) <= room);
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + CUT;
}

/**
 * Minimum size, in bytes, to which a part of an object or array is cut. If not all its parts fit even at this size, the
 * last parts are removed.
 */
const LEAST_PART = 100;

/**
 * Cuts the parts of an object or array, so that they take at most `room` bytes. Keeps small parts whole and divides the
 * remaining bytes among the large ones.
 */
function cutParts(cutting: Cutting, value: object, room: number): unknown {
  const parts = partsOf(value);
  const sized = parts.map(([name, part]) => nameSize(cutting, name) + Math.min(sizeOf(cutting, part), LEAST_PART));
  let count = 0;
  let least = 4;
  while (count < parts.length && least + (sized[count] ?? 0) <= room) {
    least += sized[count] ?? 0;
    count += 1;
  }
  if (count < parts.length) cutting.cuts += 1;
  const kept = parts.slice(0, count);
  const names = kept.reduce((sum, [name]) => sum + nameSize(cutting, name), 4);
  const share = shareOf(
    kept.map(([, part]) => sizeOf(cutting, part)),
    room - names,
  );
  const cut = kept.map(([name, part]): Part => [name, cutValue(cutting, part, share)]);
  if (Array.isArray(value)) return cut.map(([, part]) => part);
  return Object.fromEntries(cut.map(([name, part]) => [name ?? '', part]));
}

/**
 * The maximum size, in bytes, of each part of an object or array, so that all parts together fit into `room` bytes.
 * Bytes that small parts do not use go to the larger parts.
 */
function shareOf(sizes: readonly number[], room: number): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return share;
    left -= size;
  }
  return room;
}
