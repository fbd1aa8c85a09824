/**
 * Gives equal JSON values the same key, so that values of any depth can be compared with `===`. Visits each value once.
 */
export interface TreeKeys {
  /**
   * The key of a value. Equal objects and equal arrays have the same key, whatever the order of members. The key of any
   * other value is the value itself.
   */
  keyOf(value: unknown): unknown;
}

interface Key {
  readonly text: string;
}

export function treeKeys(): TreeKeys {
  const shapes = new Map<string, Key>();
  const known = new Map<object, Key>();

  const containerKey = (value: object): Key => {
    const met = known.get(value);
    if (met) return met;
    const shape = Array.isArray(value) ? `[${value.map(textOf).join()}` : `{${memberTexts(value).sort().join()}`;
    const key = shapes.get(shape) ?? { text: `#${shapes.size}` };
    shapes.set(shape, key);
    known.set(value, key);
    return key;
  };

  const memberTexts = (value: object): string[] =>
    Object.entries(value).map(([name, member]) => `${name.length}:${name}${textOf(member)}`);

  const textOf = (value: unknown): string => {
    if (typeof value === 'object' && value !== null) return containerKey(value).text;
    return typeof value === 'string' ? `${value.length}:${value}` : String(value);
  };

  return { keyOf: (value) => (typeof value === 'object' && value !== null ? containerKey(value) : value) };
}
