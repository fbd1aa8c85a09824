/** One row of a Markdown table. A `|` inside a cell is escaped. */
export const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
