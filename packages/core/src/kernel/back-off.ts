/** The settings of `backOffMs`. */
export interface BackOff {
  /** The pause after the first failure, in milliseconds. */
  readonly firstMs: number;
  /** The longest pause, in milliseconds. */
  readonly mostMs: number;
  /**
   * A random number from 0 to 1. It shortens the pause by up to a quarter, so that clients whose calls failed at the same
   * time do not retry at the same time.
   */
  readonly random: number;
}

/**
 * Milliseconds to wait before the next try: `firstMs` after the first failure, doubled after each further failure, at most
 * `mostMs`.
 *
 * @param failures failures in a row, at least 1
 */
export const backOffMs = (failures: number, { firstMs, mostMs, random }: BackOff): number =>
  Math.min(firstMs * 2 ** (failures - 1), mostMs) * (1 - random / 4);
