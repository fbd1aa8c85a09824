/**
 * Writes a folded state as JSON and reads it back. JSON has no persistent collections, so they are written as tagged arrays:
 * `["$list", items]` and `["$map", [[key, value], …]]`. If an array of the state itself begins with a text that starts with
 * `$`, that text gets one more `$`. Members that are undefined are left out, as in `JSON.stringify`.
 */
import { isRecord } from '../text/json-value.ts';
import {
  entries,
  isPersistentList,
  isPersistentMap,
  persistentListOf,
  persistentMapOf,
} from './persistent-collections.ts';

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
