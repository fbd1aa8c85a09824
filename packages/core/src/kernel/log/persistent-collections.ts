/** Tells these collections from data of the same members: no JSON can have it. */
const KIND = Symbol('kind');

/**
 * A list that grows with a session's history.
 *
 * Successive immutable states share the items and each sees only its own part, so adding costs the same at ten items and
 * at ten thousand. A second writer on an older state gets a copy: no state ever changes. The same holds for a table.
 */
export interface Sequence<T> {
  readonly [KIND]: 'sequence';
  readonly items: T[];
  readonly length: number;
}

/** Takes over the items. */
export const sequenceOf = <T>(items: T[]): Sequence<T> => ({ [KIND]: 'sequence', items, length: items.length });

export const emptySequence = <T>(): Sequence<T> => sequenceOf<T>([]);

export const isSequence = (value: object): value is Sequence<unknown> => KIND in value && value[KIND] === 'sequence';

export function appended<T>({ items, length }: Sequence<T>, item: T): Sequence<T> {
  const own = items.length === length ? items : items.slice(0, length);
  own.push(item);
  return sequenceOf(own);
}

export const itemAt = <T>({ items, length }: Sequence<T>, index: number): T | undefined =>
  index < length ? items[index] : undefined;

/** The index of the first item for which `isPast` holds, given that it holds for every later one too. */
export function lowerBound<T>({ items, length }: Sequence<T>, isPast: (item: T) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isPast(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What the entry of one key was before the next table of a session changed it; undefined where there was none. */
interface Before<V> {
  readonly key: string;
  readonly value: V | undefined;
  readonly next: Table<V>;
}

/**
 * A map by string key that keeps insertion order. The newest table of a session holds the entries; each older one holds
 * the one value that its successor changed. So a replaced value is freed together with the last state that had it.
 */
export interface Table<V> {
  readonly [KIND]: 'table';
  readonly size: number;
  /** Changes its form when the next table is made, never what the table says. */
  held: Map<string, V> | Before<V>;
}

const tableHolding = <V>(held: Map<string, V>): Table<V> => ({ [KIND]: 'table', size: held.size, held });

export const emptyTable = <V>(): Table<V> => tableHolding(new Map<string, V>());

/** @param all each key once */
export const tableOf = <V>(all: Iterable<readonly [string, V]>): Table<V> => tableHolding(new Map(all));

export const isTable = (value: object): value is Table<unknown> => KIND in value && value[KIND] === 'table';

export function lookUp<V>(table: Table<V>, key: string): V | undefined {
  let { held } = table;
  while (!(held instanceof Map)) {
    if (held.key === key) return held.value;
    held = held.next.held;
  }
  return held.get(key);
}

/** An empty table is shared by all sessions of the process, so it is never linked to what becomes of it. */
export function withEntry<V>(before: Table<V>, key: string, value: V): Table<V> {
  if (before.size === 0 || !(before.held instanceof Map)) {
    return tableHolding(new Map(entries(before)).set(key, value));
  }
  const all = before.held;
  const replaced = all.get(key);
  const next = tableHolding(all.set(key, value));
  before.held = { key, value: replaced, next };
  return next;
}

/** In the order in which the keys were first written. */
export function entries<V>({ held: own, size }: Table<V>): (readonly [string, V])[] {
  if (own instanceof Map) return [...own];
  const changed = new Map<string, V | undefined>();
  let held: Table<V>['held'] = own;
  while (!(held instanceof Map)) {
    if (!changed.has(held.key)) changed.set(held.key, held.value);
    held = held.next.held;
  }
  const found: (readonly [string, V])[] = [];
  for (const [key, value] of held) {
    if (found.length === size) break;
    const known = changed.has(key) ? changed.get(key) : value;
    if (known !== undefined) found.push([key, known]);
  }
  return found;
}

export const valuesOf = <V>(table: Table<V>): V[] =>
  table.held instanceof Map ? [...table.held.values()] : entries(table).map(([, value]) => value);
