/** A straight line that approximates a series of numbers, and their mean. */
export interface Trend {
  /** Difference between the last and the first point of the line. */
  readonly rise: number;
  /** Standard deviation of the numbers from the line. */
  readonly scatter: number;
  readonly mean: number;
}

/** Fits a line to the numbers `figures` by least squares. */
export function trendOf(figures: readonly number[]): Trend {
  const count = figures.length;
  const mean = sumOf(figures) / count;
  const middle = (count - 1) / 2;
  const spread = sumOf(figures.map((_, n) => (n - middle) ** 2));
  const slope = spread === 0 ? 0 : sumOf(figures.map((figure, n) => (n - middle) * (figure - mean))) / spread;
  const errors = figures.map((figure, n) => figure - mean - slope * (n - middle));
  const scatter = Math.sqrt(sumOf(errors.map((error) => error ** 2)) / Math.max(1, count - 2));
  return { rise: slope * (count - 1), scatter, mean };
}

/** A rise below this share of the mean counts as noise. */
const NOISE_SHARE = 0.02;

/** Whether the line rises by more than twice the scatter, and by more than `noiseShare` of the mean. */
export const grows = ({ rise, scatter, mean }: Trend, noiseShare = NOISE_SHARE): boolean =>
  rise > Math.max(2 * scatter, noiseShare * mean);

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0);
