import { entries, isPersistentList, isPersistentMap } from '../../../src/kernel/log/persistent-collections.ts';

/** What can be seen of a state, without what its collections share with others. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shown);
  if (isPersistentList(value)) return { sequence: value.items.slice(0, value.length).map(shown) };
  if (isPersistentMap(value)) return { size: value.size, table: [...entries(value)].map(shown) };
  return Object.entries(value).map(([name, member]) => [name, shown(member)]);
}
