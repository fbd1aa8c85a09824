/** Computes something of an object once. */
export type Remember<K extends object, T> = (key: K, name: string, compute: () => T) => T;

/**
 * Remembers what was computed from immutable objects, by name, for as long as each object lives. So a heavy part of a
 * call is computed in a stage of its own and found again where the answer is made.
 */
export function createRemembered<K extends object, T>(): Remember<K, T> {
  const known = new WeakMap<K, Map<string, { readonly value: T }>>();
  return (key, name, compute) => {
    const byName = known.get(key) ?? new Map<string, { readonly value: T }>();
    known.set(key, byName);
    const entry = byName.get(name) ?? { value: compute() };
    byName.set(name, entry);
    return entry.value;
  };
}
