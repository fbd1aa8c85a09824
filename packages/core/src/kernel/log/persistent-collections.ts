import { isRecord } from '../text/json-value.ts';

/**
 * Key of the member that marks the collections of this file. Data parsed from JSON can have members of any name, but no symbols.
 */
const KIND = Symbol('kind');

/**
 * A list that grows with the history of a session. The states of a session share one array of items; each state uses
 * the first `length` items. So appending takes constant time. If an item is appended to the list of an older state, the
 * items are copied, because a state must not change.
 */
export interface PersistentList<T> {
  readonly [KIND]: 'list';
  readonly items: T[];
  readonly length: number;
}

/** Makes a list from an array. The array becomes part of the list, so the caller must not change it. */
const persistentListOf = <T>(items: T[]): PersistentList<T> => ({
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

/**
 * The index of the first item for which `isPast` returns true, or `length` if there is none. `isPast` must also return true for all
 * items after that item.
 */
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

/** The entry in which a map differs from the newer map `next`. `value` is undefined if the older map lacks the key. */
interface Before<V> {
  readonly key: string;
  readonly value: V | undefined;
  readonly next: PersistentMap<V>;
}

/**
 * A map by string key that keeps insertion order. Only the newest map of a session holds all entries. Each older map holds only
 * the one entry in which it differs from its successor. So a replaced value is freed together with the last state that had it.
 */
export interface PersistentMap<V> {
  readonly [KIND]: 'map';
  readonly size: number;
  /**
   * Either all entries, or the entry in which this map differs from the next newer map. Making a newer map replaces `held`, but the
   * contents of this map stay the same.
   */
  held: Held<V> | Before<V>;
}

/** Entries by key. The value of a removed key is undefined: the key keeps its place, because older maps need its position. */
type Held<V> = Map<string, V | undefined>;

const mapHolding = <V>(held: Held<V>, size: number): PersistentMap<V> => ({ [KIND]: 'map', size, held });

/**
 * Makes a map from its entries.
 *
 * @param all must not contain a removed key
 */
const mapOfAll = <V>(all: Map<string, V>): PersistentMap<V> => mapHolding<V>(all, all.size);

export const emptyMap = <V>(): PersistentMap<V> => mapOfAll(new Map<string, V>());

/**
 * Makes a map from its entries.
 *
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
 * Returns a map in which an entry is added or replaced. The new map takes over the entries of the old map. If the old map is empty
 * or already has a successor, or if `key` was removed before, the entries are copied.
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
 * Returns a map without the key; if the key is unknown, the same map. If more keys have been removed than remain, copies the
 * entries that remain, so that removed keys do not accumulate.
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
  /** Value before this change. Undefined if the key had none. */
  readonly value: V | undefined;
  readonly grows: -1 | 0 | 1;
}

function successor<V>(before: PersistentMap<V>, all: Held<V>, { key, value, grows }: Change<V>): PersistentMap<V> {
  const next = mapHolding(all, before.size + grows);
  before.held = { key, value, next };
  return next;
}

/**
 * Returns the entries, in the order in which the keys were added. A key that was removed and added again counts from its last
 * addition.
 */
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

/*
 * Writes a folded state as JSON and reads it back. JSON has no persistent collections, so they are written as tagged arrays:
 * `["$list", items]` and `["$map", [[key, value], …]]`. If an array of the state itself begins with a text that starts with
 * `$`, that text gets one more `$`. Members that are undefined are left out, as in `JSON.stringify`.
 */

/**
 * Returns the JSON text of a state. The state may contain plain objects, arrays, persistent lists and maps, texts,
 * finite numbers, booleans and null. The event loop runs after each member of the state.
 *
 * @throws TypeError for any other value, because it would be read back as another value
 */
export async function encodeState(state: object): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(state)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${JSON.stringify(toJson(member))}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return `{"state":{${members.join(',')}}}`;
}

function toJson(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (typeof value !== 'object') throw new TypeError(`A state cannot contain ${typeof value} ${String(value)}.`);
  if (Array.isArray(value))
    return isTagged(value) ? [`$${value[0]}`, ...value.slice(1).map(toJson)] : value.map(toJson);
  if (isPersistentList(value)) return ['$list', value.items.slice(0, value.length).map(toJson)];
  if (isPersistentMap(value)) return ['$map', entries(value).map(([key, item]) => [key, toJson(item)])];
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError('A state can contain only plain objects.');
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
}

function isTagged(items: readonly unknown[]): boolean {
  const first = items[0];
  return typeof first === 'string' && first.startsWith('$');
}

/**
 * Reads what `encodeState` wrote.
 *
 * @throws TypeError or SyntaxError for a text of another form
 */
export function decodeState(text: string): object {
  const { state }: { state?: unknown } = Object(JSON.parse(text));
  if (!isRecord(state)) throw new TypeError('The text does not encode a state.');
  return restored(state);
}

/**
 * Restores a state from its JSON value. Copies arrays and changes objects in place, because that is the fastest way to read a long
 * snapshot.
 */
function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return isTagged(value) ? fromTagged(value) : value.map(fromJson);
  return isRecord(value) ? restored(value) : value;
}

function restored(members: Record<string, unknown>): object {
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object') members[name] = fromJson(member);
  }
  return members;
}

function fromTagged(items: readonly unknown[]): unknown {
  const [tag, held] = items;
  if (tag === '$list' && Array.isArray(held)) return persistentListOf(held.map(fromJson));
  if (tag === '$map' && Array.isArray(held))
    return persistentMapOf(held.map(([key, item]) => [String(key), fromJson(item)]));
  return [String(tag).slice(1), ...items.slice(1).map(fromJson)];
}
