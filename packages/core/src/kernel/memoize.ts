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
    const byName = known.get(key) ?? new Map<string, { readonly value: V }>();
    known.set(key, byName);
    const entry = byName.get(name) ?? { value: compute(key, ...others) };
    byName.set(name, entry);
    return entry.value;
  };
}
