/**
 * Collections that grow with a session's history.
 *
 * Successive immutable states share one growing structure and each sees only its own part of it, so adding costs the
 * same at ten entries and at ten thousand. A second writer on an older state gets a copy: no state ever changes.
 */
export interface Sequence<T> {
  readonly items: T[];
  readonly length: number;
}

export const emptySequence = <T>(): Sequence<T> => ({ items: [], length: 0 });

export function appended<T>({ items, length }: Sequence<T>, item: T): Sequence<T> {
  const own = items.length === length ? items : items.slice(0, length);
  own.push(item);
  return { items: own, length: length + 1 };
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
  readonly rows: Rows<V>;
  readonly writes: number;
  readonly size: number;
}

export const emptyTable = <V>(): Table<V> => ({
  rows: { writes: 0, keys: [], versions: new Map() },
  writes: 0,
  size: 0,
});

export function lookUp<V>({ rows, writes }: Table<V>, key: string): V | undefined {
  const versions = rows.versions.get(key);
  return versions?.findLast((version) => version.write <= writes)?.value;
}

export function withEntry<V>(table: Table<V>, key: string, value: V): Table<V> {
  const rows = table.rows.writes === table.writes ? table.rows : copied(table);
  const size = lookUp(table, key) === undefined ? table.size + 1 : table.size;
  const writes = rows.writes + 1;
  write(rows, key, { write: writes, value });
  return { rows, writes, size };
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

function copied<V>(table: Table<V>): Rows<V> {
  const rows: Rows<V> = { writes: table.writes, keys: [], versions: new Map() };
  for (const [key, value] of entries(table)) {
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
