import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { MAX_JSON_DEPTH } from '../../kernel/limits.ts';
import { createReader } from '../../kernel/operation/arguments.ts';
import { documented, type JsonSchema } from '../../kernel/operation/json-schema.ts';
import { echoName, quotedName } from '../../kernel/text/safe-echo.ts';
import { CONTRACT_JSON_SCHEMA } from './contract.ts';
import { namesIn, pointerFault } from './json-pointer.ts';

const PIECE_ITEMS = 512;
const PIECES = Symbol('pieces');

/**
 * An array that is stored in several pieces. An insertion or a removal moves only the items of one piece, so that
 * thousands of operations on an array of 100,000 items stay fast. The symbol distinguishes `Pieces` from JSON values.
 */
interface Pieces {
  readonly [PIECES]: unknown[][];
  length: number;
}

function piecesOf(items: readonly unknown[]): Pieces {
  const pieces: unknown[][] = [];
  for (let from = 0; from < items.length; from += PIECE_ITEMS) pieces.push(items.slice(from, from + PIECE_ITEMS));
  return { [PIECES]: pieces.length > 0 ? pieces : [[]], length: items.length };
}

const isPieces = (value: unknown): value is Pieces => typeof value === 'object' && value !== null && PIECES in value;

const itemsOf = (array: Pieces): unknown[] => array[PIECES].flat();

/** Finds the piece that contains an index. For the index after the last item, returns the last piece. */
function locate({ [PIECES]: pieces }: Pieces, index: number): { piece: unknown[]; at: number; number: number } {
  let at = index;
  let number = 0;
  let piece = pieces[0] ?? [];
  while (at >= piece.length && number < pieces.length - 1) {
    at -= piece.length;
    number += 1;
    piece = pieces[number] ?? [];
  }
  return { piece, at, number };
}

function itemAt(array: Pieces, index: number): unknown {
  const { piece, at } = locate(array, index);
  return piece[at];
}

function setItem(array: Pieces, index: number, value: unknown): void {
  const { piece, at } = locate(array, index);
  piece[at] = value;
}

function insertItem(array: Pieces, index: number, value: unknown): void {
  const { piece, at, number } = locate(array, index);
  piece.splice(at, 0, value);
  array.length += 1;
  if (piece.length > 2 * PIECE_ITEMS) {
    array[PIECES].splice(number, 1, piece.slice(0, PIECE_ITEMS), piece.slice(PIECE_ITEMS));
  }
}

function removeItem(array: Pieces, index: number): void {
  const { piece, at } = locate(array, index);
  piece.splice(at, 1);
  array.length -= 1;
}

const SHOWN_PATH_CHARS = 300;

export const PatchOpName = z.enum(['add', 'replace', 'remove']).register(documented, { id: 'PatchOpName' });

/** An operation of a JSON Patch (RFC 6902). Unknown members are ignored, as section 4 of the RFC requires. */
const PatchOp = z.object({
  op: PatchOpName.describe('add also inserts into arrays.'),
  path: z.string().describe('JSON Pointer: /tasks/0/title; /tasks/- for the end.'),
  value: z.unknown().optional().describe('Of add and replace: any JSON value.'),
});
export type PatchOp = z.output<typeof PatchOp>;

export const PatchOps = z
  .array(PatchOp)
  .min(1, 'Must contain at least one operation.')
  .describe('RFC 6902, in order, all or none.');

/**
 * A copy of an array or an object on the path of an operation. Operations change only such copies, so the input stays
 * unchanged.
 */
type Opened = Map<string, unknown> | Pieces;
type Refuse = (fault: string) => never;

/** A name in the path of an operation, and the depth of the object or array in which this name is looked up. */
interface PathPart {
  readonly name: string;
  /** Depth of the object or array in which `name` is looked up: 0 for the contract's container, 1 for the contract. */
  readonly depth: number;
  readonly path: string;
}

/**
 * Applies all operations to a copy of the document. The result shares no object with the document or the operations.
 * The package rfc6902 5.4.0 is not used: it resolves inherited members and `length`, accepts malformed indices and
 * escapes, and loses `__proto__` and `constructor`.
 * @throws ParleyError PATCH_FAILED with `op_index` and `path` of the first operation that fails
 */
export function applyPatch(document: unknown, ops: readonly PatchOp[]): unknown {
  const root = new Map([['', document]]);
  for (const [index, op] of ops.entries()) {
    applyOp(root, op, (fault) =>
      fail('PATCH_FAILED', `Operation ${index} (${op.op}): ${fault}.`, {
        op_index: index,
        path: echoName(op.path, SHOWN_PATH_CHARS),
      }),
    );
  }
  return closed(root.get(''));
}

function applyOp(root: Opened, op: PatchOp, refuse: Refuse): void {
  const fault = pointerFault(op.path);
  if (fault !== undefined) refuse(fault);
  if (op.op === 'remove' && op.path === '') refuse('the whole contract cannot be removed; use op "replace"');
  if (op.op !== 'remove' && op.value === undefined) refuse('the member value is missing (null is allowed)');
  const names = namesIn(op.path);
  if (names.length - 1 > MAX_JSON_DEPTH) refuse(`the path goes deeper than ${MAX_JSON_DEPTH} levels`);
  const name = names.pop() ?? '';
  const enterNext = (parent: Opened, name: string, depth: number): Opened =>
    enter(parent, { name, depth, path: op.path }, refuse);
  const parent = names.reduce(enterNext, root);
  const part = { name, depth: names.length, path: op.path };
  if (isPieces(parent)) changeArray(parent, part, op, refuse);
  else changeObject(parent, part, op, refuse);
}

function enter(parent: Opened, part: PathPart, refuse: Refuse): Opened {
  if (isPieces(parent)) {
    const index = indexOf(part, parent.length - 1, refuse);
    const child = opened(itemAt(parent, index)) ?? refuse(leaf(part));
    setItem(parent, index, child);
    return child;
  }
  if (!parent.has(part.name)) refuse(missing(part));
  const child = opened(parent.get(part.name)) ?? refuse(leaf(part));
  parent.set(part.name, child);
  return child;
}

function changeObject(members: Map<string, unknown>, part: PathPart, { op, value }: PatchOp, refuse: Refuse): void {
  if (op !== 'add' && !members.has(part.name)) refuse(missing(part));
  if (op === 'remove') members.delete(part.name);
  else members.set(part.name, value);
}

function changeArray(array: Pieces, part: PathPart, { op, value }: PatchOp, refuse: Refuse): void {
  if (op === 'add' && part.name === '-') insertItem(array, array.length, value);
  else if (op === 'add') insertItem(array, indexOf(part, array.length, refuse), value);
  else if (op === 'replace') setItem(array, indexOf(part, array.length - 1, refuse), value);
  else removeItem(array, indexOf(part, array.length - 1, refuse));
}

/**
 * Converts a name in a path to an index of an array: digits without a leading zero (RFC 6901, section 4). `-` is the
 * index after the last element, and is refused here.
 */
function indexOf(part: PathPart, last: number, refuse: Refuse): number {
  const array = `the array at ${pathTo(part.depth, part)}`;
  if (part.name === '-') refuse(`"-" names the end of ${array}, where only add is possible`);
  if (!/^(0|[1-9]\d*)$/.test(part.name)) refuse(`${quotedName(part.name)} is not an index of ${array}`);
  const index = Number(part.name);
  return index <= last ? index : refuse(`index ${echoName(part.name)} is beyond the end of ${array}`);
}

const missing = (part: PathPart): string =>
  `the object at ${pathTo(part.depth, part)} has no member ${quotedName(part.name)}`;
const leaf = (part: PathPart): string => `${pathTo(part.depth + 1, part)} is neither an object nor an array`;
const pathTo = (depth: number, { path }: PathPart): string => quotedName(path.split('/').slice(0, depth).join('/'));

function opened(value: unknown): Opened | undefined {
  if (value instanceof Map || isPieces(value)) return value;
  if (Array.isArray(value)) return piecesOf(value);
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}

/**
 * Converts a value to plain JSON: a `Map` or `Pieces` that an operation opened becomes an object or an array again. Any
 * other object or array is copied.
 */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isPieces(value)) return itemsOf(value).map(closed);
  if (Array.isArray(value)) return value.map(closed);
  const members = value instanceof Map ? value : Object.entries(value);
  // `fromEntries` defines members directly, so a member named `__proto__` becomes an ordinary member.
  return Object.fromEntries(Array.from(members, ([name, member]) => [name, closed(member)]));
}

/**
 * Converts the value of each patch operation to the type that the contract's schema declares at the operation's path.
 */
export function readValues(ops: readonly PatchOp[]): PatchOp[] {
  const read = createReader();
  return ops.map((op, index) =>
    op.value === undefined ? op : { ...op, value: read(schemaOf(op.path), op.value, ['ops', index, 'value']) },
  );
}

/**
 * The contract's schema at a path. If the contract's schema does not describe the path, returns {}, which accepts any
 * value.
 */
const schemaOf = (path: string): JsonSchema => namesIn(path).slice(1).reduce(inside, CONTRACT_JSON_SCHEMA);

function inside({ items, properties = {} }: JsonSchema, name: string): JsonSchema {
  if (items) return items;
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
}
