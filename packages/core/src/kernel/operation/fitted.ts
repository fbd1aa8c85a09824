import { MAX_ANSWER_BYTES } from '../limits.ts';
import { type Reply, replyOf } from '../reply.ts';
import { costOfJson, type LeftOut } from './bounded-lists.ts';
import type { Operation } from './operation.ts';

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

/**
 * Cuts a text at its end so that it takes at most `room` bytes. Finds the length by bisection, because characters differ in size.
 */
function cutText({ measure }: Cutting, text: string, room: number): string {
  let [fits, beyond] = [0, text.length];
  while (beyond - fits > 1) {
    const middle = (fits + beyond) >>> 1;
    if (measure(JSON.stringify(text.slice(0, middle) + CUT)) <= room) fits = middle;
    else beyond = middle;
  }
  const kept = text.slice(0, fits);
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
