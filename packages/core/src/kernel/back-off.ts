/** How the pause between tries grows. */
export interface BackOff {
  /** Pause after the first failure. */
  readonly firstMs: number;
  /** Upper bound of the pause. */
  readonly mostMs: number;
  /** From 0 to 1. Takes up to a quarter off the pause, so that clients that failed together do not retry together. */
  readonly random: number;
}

/**
 * Milliseconds to wait before the next try: the first pause, doubled with each further failure up to the bound.
 *
 * @param failures failures in a row, at least 1
 */
export const backOffMs = (failures: number, { firstMs, mostMs, random }: BackOff): number =>
  Math.min(firstMs * 2 ** (failures - 1), mostMs) * (1 - random / 4);
