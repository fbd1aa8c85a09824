/** An operation of a JSON Patch (RFC 6902). The service sends only these three kinds of operations. */
export interface PatchOp {
  readonly op: 'add' | 'replace' | 'remove';
  /** The position in the value, as a JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly value?: unknown;
}

type Json = unknown;

/**
 * Applies operations to a JSON value and returns the result. The given value is not changed. The result shares all
 * unchanged parts with the given value.
 *
 * @throws TypeError if the value does not have the path of an operation
 */
export const patched = (value: Json, ops: readonly PatchOp[]): Json =>
  ops.reduce((whole, op) => change(whole, namesIn(op.path), op), value);

const namesIn = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

function change(parent: Json, [name, ...rest]: readonly string[], op: PatchOp): Json {
  if (name === undefined) return op.value;
  if (Array.isArray(parent)) return changeItem(parent, { index: Number(name), rest }, op);
  if (typeof parent !== 'object' || parent === null) throw new TypeError(`${op.path} does not exist in the value.`);
  const members: Readonly<Record<string, Json>> = { ...parent };
  if (!Object.hasOwn(members, name) && (rest.length > 0 || op.op !== 'add'))
    throw new TypeError(`${op.path} does not exist in the value.`);
  if (rest.length > 0 || op.op !== 'remove') return { ...members, [name]: change(members[name], rest, op) };
  const { [name]: _removed, ...others } = members;
  return others;
}

interface Item {
  readonly index: number;
  readonly rest: readonly string[];
}

function changeItem(items: readonly Json[], { index, rest }: Item, op: PatchOp): Json {
  const isInserted = rest.length === 0 && op.op === 'add';
  if (!(index >= 0 && index < items.length + (isInserted ? 1 : 0)))
    throw new TypeError(`${op.path} does not exist in the value.`);
  if (isInserted) return items.toSpliced(index, 0, op.value);
  return rest.length === 0 && op.op === 'remove'
    ? items.toSpliced(index, 1)
    : items.with(index, change(items[index], rest, op));
}
