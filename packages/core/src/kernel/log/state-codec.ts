import {
  entries,
  isPersistentList,
  isPersistentMap,
  persistentListOf,
  persistentMapOf,
} from './persistent-collections.ts';

/**
 * A state as JSON. What JSON cannot say is an array that leads with a number: a list, a persistent list, a persistent
 * map, an object (the number of its shape), many objects of one shape (column by column), many values that are the same.
 * `[]` is undefined. All of it is read faster than the log it was folded from, and faster than the plain objects would be.
 */
type Node = string | number | boolean | null | readonly Node[];

const LIST = 0;
const PERSISTENT_LIST = 1;
const PERSISTENT_MAP = 2;
const COLUMNS = 3;
const SAME = 4;
const FIRST_SHAPE = 5;

/** Member names of objects, each set of them once. */
type Shapes = readonly (readonly string[])[];

interface Encoded {
  readonly shapes: Shapes;
  readonly members: Readonly<Record<string, Node>>;
}

const NOTHING: Node = [];
const NO_ITEMS: Node = [LIST];

interface ShapeBook {
  readonly shapes: (readonly string[])[];
  numberOf(names: readonly string[]): number;
}

function createShapeBook(): ShapeBook {
  const shapes: (readonly string[])[] = [];
  const known = new Map<string, number>();
  return {
    shapes,
    numberOf(names) {
      const key = JSON.stringify(names);
      const number = known.get(key) ?? FIRST_SHAPE + shapes.push(names) - 1;
      known.set(key, number);
      return number;
    },
  };
}

/**
 * Writes a folded state: plain objects, arrays, persistent lists and maps, texts, finite numbers, booleans, null and
 * undefined. A state never changes, so other work of the event loop runs between its members.
 *
 * @throws TypeError for anything else, which would come back as something else
 */
export async function encodeState(state: object): Promise<string> {
  const book = createShapeBook();
  const members: string[] = [];
  for (const [name, member] of Object.entries(state)) {
    members.push(`${JSON.stringify(name)}:${JSON.stringify(encode(book, member))}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return `{"shapes":${JSON.stringify(book.shapes)},"members":{${members.join(',')}}}`;
}

function encode(book: ShapeBook, value: unknown): Node {
  if (typeof value === 'object' && value !== null) return encodeObject(book, value);
  if (value === undefined) return NOTHING;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return value;
  throw new TypeError(`A state cannot hold ${typeof value} ${String(value)}.`);
}

function encodeObject(book: ShapeBook, value: object): Node {
  if (Array.isArray(value)) return encodeList(book, value);
  if (isPersistentList(value)) return [PERSISTENT_LIST, encodeList(book, value.items.slice(0, value.length))];
  if (isPersistentMap(value)) {
    const rows = [...entries(value)];
    return [
      PERSISTENT_MAP,
      ...[0, 1].map((column) =>
        encodeList(
          book,
          rows.map((row) => row[column]),
        ),
      ),
    ];
  }
  return [book.numberOf(namesOf(value)), ...Object.values(value).map((member) => encode(book, member))];
}

function namesOf(value: object): readonly string[] {
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.keys(value);
  throw new TypeError('A state holds plain objects only.');
}

function encodeList(book: ShapeBook, items: readonly unknown[]): Node {
  const [first] = items;
  if (items.length < 2) return [LIST, ...items.map((item) => encode(book, item))];
  const names = isRecord(first) ? namesOf(first) : [];
  if (names.length > 0 && items.every((item) => isRecord(item) && hasNames(item, names))) {
    const columns = names.map((name) =>
      encodeList(
        book,
        items.map((item) => Reflect.get(Object(item), name)),
      ),
    );
    return [COLUMNS, book.numberOf(names), ...columns];
  }
  const nodes = items.map((item) => encode(book, item));
  return areSame(nodes) ? [SAME, nodes.length, nodes[0] ?? null] : [LIST, ...nodes];
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !isPersistentList(value) &&
  !isPersistentMap(value);

function hasNames(value: object, names: readonly string[]): boolean {
  const own = namesOf(value);
  return own.length === names.length && own.every((name, index) => name === names[index]);
}

function areSame(nodes: readonly Node[]): boolean {
  const first = nodes[0] ?? null;
  if (!Array.isArray(first)) return nodes.every((node) => node === first);
  return (
    first.length <= 1 &&
    nodes.every((node) => Array.isArray(node) && node.length === first.length && node[0] === first[0])
  );
}

/**
 * Reads back what `encodeState` wrote, and nothing else: a text from elsewhere gives anything, or throws.
 */
export function decodeState(text: string): object {
  const { shapes, members }: Encoded = JSON.parse(text);
  return toRecord(
    Object.keys(members),
    Object.values(members).map((member) => decode(shapes, member)),
  );
}

function decode(shapes: Shapes, node: Node): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const [tag, first = NO_ITEMS, second = NO_ITEMS] = node;
  switch (tag) {
    case undefined:
      return undefined;
    case PERSISTENT_LIST:
      return persistentListOf([...decodeList(shapes, first)]);
    case PERSISTENT_MAP:
      return persistentMapOf(pairs(decodeList(shapes, first), decodeList(shapes, second)));
    case LIST:
    case COLUMNS:
    case SAME:
      return decodeList(shapes, node);
    default:
      return toRecord(namesIn(shapes, tag), decodeFrom(shapes, node, 1));
  }
}

/** Shared by all that is read: whoever would change it must fail. */
const EMPTY: readonly never[] = Object.freeze([]);

function decodeList(shapes: Shapes, node: Node): readonly unknown[] {
  if (!Array.isArray(node)) throw new TypeError('No list.');
  const [tag, first = 0, second = null] = node;
  switch (tag) {
    case LIST:
      return node.length === 1 ? EMPTY : decodeFrom(shapes, node, 1);
    case SAME:
      return Array<unknown>(Number(first)).fill(decode(shapes, second));
    case COLUMNS:
      return toRecords(
        namesIn(shapes, first),
        node.slice(2).map((column) => decodeList(shapes, column)),
      );
    default:
      throw new TypeError('No list.');
  }
}

function decodeFrom(shapes: Shapes, nodes: readonly Node[], start: number): unknown[] {
  const values: unknown[] = [];
  for (let index = start; index < nodes.length; index += 1) values.push(decode(shapes, nodes[index] ?? null));
  return values;
}

function namesIn(shapes: Shapes, tag: Node): readonly string[] {
  const names = shapes[Number(tag) - FIRST_SHAPE];
  if (!names) throw new TypeError('No shape.');
  return names;
}

function* pairs(keys: readonly unknown[], values: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const [index, key] of keys.entries()) yield [String(key), values[index]];
}

function toRecords(names: readonly string[], columns: readonly (readonly unknown[])[]): object[] {
  const records: Record<string, unknown>[] = [];
  for (const _first of columns[0] ?? EMPTY) records.push({});
  for (const [index, name] of names.entries()) {
    const column = columns[index] ?? EMPTY;
    for (let row = 0; row < records.length; row += 1) put(records[row] ?? {}, name, column[row]);
  }
  return records;
}

function toRecord(names: readonly string[], values: readonly unknown[]): object {
  const record: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) put(record, name, values[index]);
  return record;
}

function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { ...OWN, value });
  else record[name] = value;
}

/** Assigning to this one name would do something else. */
const OWN = { configurable: true, enumerable: true, writable: true };
