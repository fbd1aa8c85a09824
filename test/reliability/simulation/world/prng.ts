/** The only source of random values in a run. The same seed gives the same values. */
export interface Prng {
  /** A number from 0 inclusive to 1 exclusive. */
  float(): number;
  /** An integer from 0 inclusive to `end` exclusive. */
  below(end: number): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

export function createPrng(seed: number): Prng {
  let state = Math.imul(seed, 0x9e37_79b1) ^ 0x5bd1_e995;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const float = (): number => next() / 0x1_0000_0000;
  const below = (end: number): number => Math.floor(float() * end);
  return {
    float,
    below,
    between: (low, high) => low + float() * (high - low),
    chance: (probability) => float() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('Nothing to pick from.');
      return item;
    },
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
  };
}
