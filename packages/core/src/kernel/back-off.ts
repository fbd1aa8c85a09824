/** Settings of the pause between tries. */
export interface BackOff {
  /** Milliseconds of the pause after the first failure. */
  readonly firstMs: number;
  /** Maximum milliseconds of a pause. */
  readonly mostMs: number;
  /**
   * A random number from 0 to 1. It shortens the pause by up to a quarter, so that clients that failed together do not retry
   * together.
   */
  readonly random: number;
}

/**
 * Milliseconds to wait before the next try: the first pause, doubled with each further failure up to the bound.
 *
 * @param failures failures in a row, at least 1
 */
export const backOffMs = (failures: number, { firstMs, mostMs, random }: BackOff): number =>
  Math.min(firstMs * 2 ** (failures - 1), mostMs) * (1 - random / 4);
