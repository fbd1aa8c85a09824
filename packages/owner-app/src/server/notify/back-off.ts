const FIRST_MS = 5_000;
const MOST_MS = 3_600_000;
/** After so long without success a notice is given up. */
export const GIVE_UP_MS = 3 * 24 * 3_600_000;

/**
 * How long to wait before the next attempt: 5 s, doubled each time up to one hour, less up to a quarter at random.
 *
 * @param failures at least 1
 * @param random from 0 to 1
 */
export const backOffMs = (failures: number, random: number): number =>
  Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS) * (1 - random / 4);
