import type { Paint } from './style.ts';

/** The width and the colours for printed lines. */
export interface Page {
  readonly columns: number;
  readonly paint: Paint;
}

export const indented = ({ columns, paint }: Page, by: number): Page => ({
  columns: Math.max(20, columns - by),
  paint,
});
