/**
 * The same function of an immutable object, computed once for each object and each name of the other arguments. A result
 * lives as long as its object. So a part that `precompute` computed is found again where `decide` and the reply need it.
 *
 * @param nameOf tells the other arguments apart; left out, they must follow from the object
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
