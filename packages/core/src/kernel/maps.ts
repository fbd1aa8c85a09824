/** Groups items by a key. The groups are in the order in which their keys first occur. */
export function groupBy<K, V>(items: Iterable<V>, keyOf: (item: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Calls an async function for each item, at most `limit` calls at a time. Returns the results in the order of the items. */
export async function mapConcurrent<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

/**
 * Memoizes a function of an immutable object. A result is kept as long as the object exists, so `decide` and `reply` do not repeat
 * a step that `precompute` has run.
 *
 * @param nameOf computes a cache key from the other arguments; needed if the result depends on them
 */
export function memoizeBy<K extends object, A extends readonly unknown[], V>(
  compute: (key: K, ...others: A) => V,
  nameOf: (...others: A) => string = () => '',
): (key: K, ...others: A) => V {
  const known = new WeakMap<K, Map<string, { readonly value: V }>>();
  return (key, ...others) => {
    const name = nameOf(...others);
    const byName = known.get(key);
    const entry = byName?.get(name);
    if (entry) return entry.value;
    const value = compute(key, ...others);
    if (byName) byName.set(name, { value });
    else known.set(key, new Map([[name, { value }]]));
    return value;
  };
}
