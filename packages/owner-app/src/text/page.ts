import type { Paint } from './style.ts';

/** The width of the output in columns, and its colours. */
export interface Page {
  readonly columns: number;
  readonly paint: Paint;
}

export const indented = ({ columns, paint }: Page, by: number): Page => ({
  columns: Math.max(20, columns - by),
  paint,
});
