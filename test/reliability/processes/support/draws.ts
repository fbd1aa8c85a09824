/** Pseudo-random values. The same seed gives the same values. */
export interface Draws {
  /** A number from 0 inclusive to 1 exclusive. */
  share(): number;
  whole(least: number, most: number): number;
  oneOf<T>(items: readonly [T, ...T[]]): T;
}

/** Creates a generator of pseudo-random values, which uses the algorithm mulberry32. */
export function drawsFrom(seed: number): Draws {
  let state = seed;
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1));
  return { share, whole, oneOf: (items) => items[whole(0, items.length - 1)] ?? items[0] };
}
