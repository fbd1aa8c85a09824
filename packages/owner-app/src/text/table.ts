import type { Page } from './page.ts';
import type { Paint } from './style.ts';
import { visibleLine } from './visible.ts';
import { padText, shortenText, textWidth, wrapText } from './width.ts';

/** Space between two columns, in terminal columns. */
const GAP = 2;
/**
 * Minimum width of the flexible column, in terminal columns. If its width would be smaller, the texts of the flexible
 * column are printed below their rows.
 */
const MIN_FLEXIBLE_COLUMNS = 20;
/** Width to which the flexible column is shortened before `alsoShortened` is shortened too, in terminal columns. */
const FIRST_SHORTENED_COLUMNS = 24;
/** Minimum width of a shortened text, in terminal columns. A shorter text would not be recognizable. */
export const MIN_SHORTENED_COLUMNS = 8;
const MAX_LABEL_COLUMNS = 24;
const INDENT = '  ';

export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Index of the column whose texts are wrapped if the terminal is too narrow for the table. Default: the last column. */
  readonly flexible?: number;
  /** Whether the texts of the flexible column are shortened instead of wrapped, as in a column of titles. */
  readonly isShortened?: boolean;
  /** Index of another column that is shortened too if `isShortened` is true and 24 columns for `flexible` are not enough. */
  readonly alsoShortened?: number;
  /** Returns a shortened cell of the column `alsoShortened`. Default: the beginning of the cell. */
  readonly shortenedCell?: (row: number, columns: number) => string;
}

/**
 * Formats a table. If the terminal is narrower than the table, the first of these forms that fits is used:
 *
 * - the texts of the flexible column are shortened if `isShortened` is true, otherwise wrapped;
 * - the texts of the flexible column are printed below their rows;
 * - each cell is printed on its own line.
 */
export function tableLines(
  {
    heads,
    rows: given,
    flexible = heads.length - 1,
    isShortened = false,
    alsoShortened = flexible,
    shortenedCell,
  }: Table,
  { columns, paint }: Page,
): string[] {
  const rows = given.map((row) => row.map(visibleLine));
  const natural = heads.map((head, index) =>
    Math.max(textWidth(head), ...rows.map((row) => textWidth(row[index] ?? ''))),
  );
  const excess = widthOf(natural) - columns;
  if (excess <= 0) return [paint('bold', lineOf(heads, natural)), ...rows.map((row) => lineOf(row, natural))];
  const rest = (natural[flexible] ?? 0) - excess;
  const shortened = isShortened ? shortenedWidths(natural, [flexible, alsoShortened], excess) : null;
  if (shortened) {
    const cutLine = (cells: readonly string[]): string =>
      lineOf(
        cells.map((cell, index) => shortenText(cell, shortened[index] ?? 0)),
        shortened,
      );
    const cellOf = (cell: string, row: number): string =>
      shortenedCell ? visibleLine(shortenedCell(row, shortened[alsoShortened] ?? 0)) : cell;
    return [
      paint('bold', cutLine(heads)),
      ...rows.map((cells, row) =>
        cutLine(cells.map((cell, index) => (index === alsoShortened ? cellOf(cell, row) : cell))),
      ),
    ];
  }
  if (rest < MIN_FLEXIBLE_COLUMNS) {
    const others = natural.filter((_, index) => index !== flexible);
    if (others.length === 0 || widthOf(others) > columns)
      return rows.flatMap((row) => stackedLines(row, heads, columns, paint));
    const below = (cells: readonly string[]) => hangingLines(cells, { flexible, widths: others, columns });
    return [...below(heads).map((line) => paint('bold', line)), ...rows.flatMap(below)];
  }
  const widths = natural.map((width, index) => (index === flexible ? rest : width));
  return [
    ...wrappedLines(heads, widths, flexible).map((line) => paint('bold', line)),
    ...rows.flatMap((row) => wrappedLines(row, widths, flexible)),
  ];
}

/**
 * Takes `excess` columns from the given columns: from the first until it has `FIRST_SHORTENED_COLUMNS`, then each time from
 * the widest of them. Null if a column would be narrower than `MIN_SHORTENED_COLUMNS`.
 */
function shortenedWidths(
  natural: readonly number[],
  cut: readonly [number, ...number[]],
  excess: number,
): number[] | null {
  const widths = [...natural];
  const widthAt = (index: number): number => widths[index] ?? 0;
  for (let left = excess; left > 0; left -= 1) {
    const widest = cut.reduce((one, other) => (widthAt(other) > widthAt(one) ? other : one));
    const next = widthAt(cut[0]) > FIRST_SHORTENED_COLUMNS ? cut[0] : widest;
    widths[next] = widthAt(next) - 1;
  }
  const isTooNarrow = cut.some((index) => widthAt(index) < Math.min(MIN_SHORTENED_COLUMNS, natural[index] ?? 0));
  return isTooNarrow ? null : widths;
}

/** Width of a row whose cells have the given widths, in terminal columns. */
export const widthOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);

/** A row with aligned cells. */
export const lineOf = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => padText(cell, widths[index] ?? 0))
    .join(' '.repeat(GAP))
    .trimEnd();

/**
 * A row whose flexible cell is wrapped. Further lines are indented, so that no text of an agent begins at the left
 * edge, where it could look like another row.
 */
function wrappedLines(row: readonly string[], widths: readonly number[], flexible: number): string[] {
  const width = (widths[flexible] ?? 0) - (flexible === 0 ? INDENT.length : 0);
  const parts = wrapText(row[flexible] ?? '', width);
  return parts.map((part, line) =>
    lineOf(
      row.map((cell, index) => (index !== flexible ? (line === 0 ? cell : '') : continued(part, line, flexible))),
      widths,
    ),
  );
}

const continued = (part: string, line: number, flexible: number): string =>
  flexible === 0 && line > 0 ? `${INDENT}${part}` : part;

interface Hanging {
  readonly flexible: number;
  /** Widths of all columns except the flexible column. */
  readonly widths: readonly number[];
  readonly columns: number;
}

/** A row without its flexible cell. The text of the flexible cell is on the lines below the row. */
function hangingLines(row: readonly string[], { flexible, widths, columns }: Hanging): string[] {
  const others = row.filter((_, index) => index !== flexible);
  const text = row[flexible] ?? '';
  const below = text === '' ? [] : wrapText(text, columns - INDENT.length);
  return [lineOf(others, widths), ...below.map((line) => `${INDENT}${line}`)];
}

/** A row in which each cell has its own lines. The cells after the first are indented. */
function stackedLines(row: readonly string[], heads: readonly string[], columns: number, paint: Paint): string[] {
  const labelColumns = Math.min(MAX_LABEL_COLUMNS, Math.max(...heads.map(textWidth)) + INDENT.length + GAP);
  return row.flatMap((cell, index) => {
    const lead = index === 0 ? '' : INDENT;
    const label = padText((heads[index] ?? '').trim(), labelColumns - lead.length);
    const [first = '', ...more] = wrapText(`${label}${cell}`, columns - lead.length - INDENT.length);
    const named = first.startsWith(label) ? `${paint('bold', label)}${first.slice(label.length)}` : first;
    return [`${lead}${named}`, ...more.map((line) => `${lead}${INDENT}${line}`)];
  });
}
