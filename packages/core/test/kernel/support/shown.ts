import { entries, isPersistentList, isPersistentMap } from '../../../src/kernel/log/persistent-collections.ts';

/** Returns a plain copy of a state for comparisons: collections become arrays, and undefined members are removed. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shown);
  if (isPersistentList(value)) return { sequence: value.items.slice(0, value.length).map(shown) };
  if (isPersistentMap(value)) return { size: value.size, table: [...entries(value)].map(shown) };
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.map(([name, member]) => [name, shown(member)]);
}
