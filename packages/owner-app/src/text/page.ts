import type { Paint } from './style.ts';

/** Where lines are written: how wide, and in which colours. */
export interface Page {
  readonly columns: number;
  readonly paint: Paint;
}

export const indented = ({ columns, paint }: Page, by: number): Page => ({
  columns: Math.max(20, columns - by),
  paint,
});
