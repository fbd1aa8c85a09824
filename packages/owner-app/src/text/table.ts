import type { Paint } from './style.ts';
import { visibleLine } from './visible.ts';
import { padText, shorten, textWidth } from './width.ts';

const GAP = 2;

export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Index of the column whose texts are wrapped if the terminal is too narrow for the table. */
  readonly flexible: number;
}

/** Formats a table. Each column is as wide as its content. */
export function tableLines({ heads, rows: given, flexible }: Table, columns: number, paint: Paint): string[] {
  const rows = given.map((row) => row.map(visibleLine));
  const natural = heads.map((head, index) =>
    Math.max(textWidth(head), ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  const excess = natural.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
  const widths = natural.map((width, index) =>
    index === flexible && excess > 0 ? Math.max(12, width - excess) : width,
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padText(shorten(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [paint('bold', line(heads)), ...rows.map(line)];
}
