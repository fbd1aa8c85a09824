/** Distinguishes these collections from data with the same members: JSON has no symbols. */
const KIND = Symbol('kind');

/**
 * A list that grows with a session's history.
 * Successive immutable states share the items, and each sees only its own prefix, so appending takes constant time.
 * Appending to an older state copies the items, so that no state ever changes. The same holds for a map.
 */
export interface PersistentList<T> {
  readonly [KIND]: 'list';
  readonly items: T[];
  readonly length: number;
}

/** The array becomes part of the list; the caller must not change it. */
export const persistentListOf = <T>(items: T[]): PersistentList<T> => ({
  [KIND]: 'list',
  items,
  length: items.length,
});

export const emptyList = <T>(): PersistentList<T> => persistentListOf<T>([]);

export const isPersistentList = (value: object): value is PersistentList<unknown> =>
  KIND in value && value[KIND] === 'list';

export function appended<T>({ items, length }: PersistentList<T>, item: T): PersistentList<T> {
  const own = items.length === length ? items : items.slice(0, length);
  own.push(item);
  return persistentListOf(own);
}

export const itemAt = <T>({ items, length }: PersistentList<T>, index: number): T | undefined =>
  index < length ? items[index] : undefined;

/** The index of the first item for which `isPast` holds, given that it holds for every later one too. */
export function lowerBound<T>({ items, length }: PersistentList<T>, isPast: (item: T) => boolean): number {
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

/** The value of one key before the next map of the session changed it; undefined if there was none. */
interface Before<V> {
  readonly key: string;
  readonly value: V | undefined;
  readonly next: PersistentMap<V>;
}

/**
 * A map by string key that keeps insertion order. The newest map of a session holds the entries; each older one holds
 * the one value that its successor changed. So a replaced value is freed together with the last state that had it.
 */
export interface PersistentMap<V> {
  readonly [KIND]: 'map';
  readonly size: number;
  /** The internal form of this map changes when the next map is made from it; the contents do not change. */
  held: Held<V> | Before<V>;
}

/** The value of a removed key is undefined. The key stays, because older maps need its place in the order. */
type Held<V> = Map<string, V | undefined>;

const mapHolding = <V>(held: Held<V>, size: number): PersistentMap<V> => ({ [KIND]: 'map', size, held });

/**
 * @param all must not contain a removed key
 */
const mapOfAll = <V>(all: Map<string, V>): PersistentMap<V> => mapHolding<V>(all, all.size);

export const emptyMap = <V>(): PersistentMap<V> => mapOfAll(new Map<string, V>());

/**
 * @param all must contain each key once
 */
export const persistentMapOf = <V>(all: Iterable<readonly [string, V]>): PersistentMap<V> => mapOfAll(new Map(all));

export const isPersistentMap = (value: object): value is PersistentMap<unknown> =>
  KIND in value && value[KIND] === 'map';

export function lookUp<V>(map: PersistentMap<V>, key: string): V | undefined {
  let { held } = map;
  while (!(held instanceof Map)) {
    if (held.key === key) return held.value;
    held = held.next.held;
  }
  return held.get(key);
}

/**
 * An empty map is shared by all sessions of the process, so it is never linked to its successor. Adding a removed key
 * copies the entries: the key belongs at the end now, and elsewhere in older maps.
 */
export function withEntry<V>(before: PersistentMap<V>, key: string, value: V): PersistentMap<V> {
  const all = before.held;
  if (before.size === 0 || !(all instanceof Map) || isRemoved(all, key)) {
    return mapOfAll(new Map(entries(before)).set(key, value));
  }
  const replaced = all.get(key);
  return successor(before, all.set(key, value), { key, value: replaced, grows: replaced === undefined ? 1 : 0 });
}

const isRemoved = <V>(all: Held<V>, key: string): boolean => all.get(key) === undefined && all.has(key);

/**
 * Returns the same map if the key is unknown. Copies the entries once more keys have been removed than remain, so the
 * removed ones do not pile up.
 */
export function withoutEntry<V>(before: PersistentMap<V>, key: string): PersistentMap<V> {
  const removed = lookUp(before, key);
  if (removed === undefined) return before;
  const all = before.held;
  if (!(all instanceof Map) || all.size > 2 * before.size) {
    const left = new Map(entries(before));
    left.delete(key);
    return mapOfAll(left);
  }
  return successor(before, all.set(key, undefined), { key, value: removed, grows: -1 });
}

interface Change<V> {
  readonly key: string;
  /** Value before the change. */
  readonly value: V | undefined;
  readonly grows: -1 | 0 | 1;
}

function successor<V>(before: PersistentMap<V>, all: Held<V>, { key, value, grows }: Change<V>): PersistentMap<V> {
  const next = mapHolding(all, before.size + grows);
  before.held = { key, value, next };
  return next;
}

/** In the order in which the keys were first written, or written again after their removal. */
export function entries<V>({ held: own, size }: PersistentMap<V>): (readonly [string, V])[] {
  const changed = new Map<string, V | undefined>();
  let held: PersistentMap<V>['held'] = own;
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

export const keysOf = <V>(map: PersistentMap<V>): string[] => entries(map).map(([key]) => key);

export const valuesOf = <V>(map: PersistentMap<V>): V[] =>
  map.held instanceof Map
    ? [...map.held.values()].filter((value) => value !== undefined)
    : entries(map).map(([, value]) => value);
