/** Tells these collections from data of the same members: no JSON can have it. */
const KIND = Symbol('kind');

/**
 * Collections that grow with a session's history.
 *
 * Successive immutable states share one growing structure and each sees only its own part of it, so adding costs the
 * same at ten entries and at ten thousand. A second writer on an older state gets a copy: no state ever changes.
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

interface Version<V> {
  readonly write: number;
  readonly value: V;
}

interface Rows<V> {
  writes: number;
  readonly keys: string[];
  readonly versions: Map<string, Version<V>[]>;
}

/** A map by string key that keeps insertion order; see {@link Sequence} for how states share it. */
export interface Table<V> {
  readonly [KIND]: 'table';
  readonly rows: Rows<V>;
  readonly writes: number;
  readonly size: number;
}

const table = <V>(rows: Rows<V>, size: number): Table<V> => ({ [KIND]: 'table', rows, writes: rows.writes, size });

export const emptyTable = <V>(): Table<V> => table({ writes: 0, keys: [], versions: new Map() }, 0);

/** @param all each key once */
export const tableOf = <V>(all: Iterable<readonly [string, V]>): Table<V> => {
  const rows = rowsOf(all, 0);
  return table(rows, rows.keys.length);
};

export const isTable = (value: object): value is Table<unknown> => KIND in value && value[KIND] === 'table';

export function lookUp<V>({ rows, writes }: Table<V>, key: string): V | undefined {
  const versions = rows.versions.get(key);
  return versions?.findLast((version) => version.write <= writes)?.value;
}

export function withEntry<V>(before: Table<V>, key: string, value: V): Table<V> {
  const rows = before.rows.writes === before.writes ? before.rows : rowsOf(entries(before), before.writes);
  const size = lookUp(before, key) === undefined ? before.size + 1 : before.size;
  write(rows, key, { write: rows.writes + 1, value });
  return table(rows, size);
}

function write<V>(rows: Rows<V>, key: string, version: Version<V>): void {
  const versions = rows.versions.get(key);
  if (versions) {
    versions.push(version);
  } else {
    rows.keys.push(key);
    rows.versions.set(key, [version]);
  }
  rows.writes = version.write;
}

function rowsOf<V>(all: Iterable<readonly [string, V]>, writes: number): Rows<V> {
  const rows: Rows<V> = { writes, keys: [], versions: new Map() };
  for (const [key, value] of all) {
    rows.keys.push(key);
    rows.versions.set(key, [{ write: 0, value }]);
  }
  return rows;
}

/** In the order in which the keys were first written. */
export function* entries<V>(table: Table<V>): Generator<readonly [string, V]> {
  for (let index = 0; index < table.size; index += 1) {
    const key = table.rows.keys[index];
    const value = key === undefined ? undefined : lookUp(table, key);
    if (key !== undefined && value !== undefined) yield [key, value];
  }
}

export const valuesOf = <V>(table: Table<V>): V[] => Array.from(entries(table), ([, value]) => value);
