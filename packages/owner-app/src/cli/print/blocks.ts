import type { Page } from '../../text/page.ts';
import { type Table, tableLines } from '../../text/table.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';

/** Lines below their title, after an empty line. */
export const block = (title: string, lines: readonly string[], { columns, paint }: Page): string[] => [
  '',
  ...wrapText(visibleLine(title), columns).map((line) => paint(['bold', 'cyan'], line)),
  ...lines,
];

/** Texts below their title, one after the other. Empty without texts. */
export const listBlock = (title: string, texts: readonly string[], page: Page): string[] =>
  texts.length === 0
    ? []
    : block(
        title,
        texts.flatMap((text) => indentedLines(visibleLine(text), page)),
        page,
      );

/** A table below its title. Empty for a table without rows. */
export const tableBlock = (title: string, table: Table, page: Page): string[] =>
  table.rows.length === 0 ? [] : block(title, tableLines(table, page), page);

/** A text below its name. */
export const textBlock = (name: string, text: string, page: Page): string[] =>
  block(name, quotedLines(text, page), page);

/** The lines of a text, indented by two columns. Empty for an empty text. */
export const indentedLines = (text: string, { columns }: Page): string[] =>
  text === '' ? [] : wrapText(visible(text), columns - 2).map((line) => `  ${line}`);

/** The lines of a text, each with a bar, so that no line of it looks like a line of the program. */
export const quotedLines = (text: string, { columns, paint }: Page): string[] =>
  wrapText(visible(text), columns - 2).map((line) => `${paint('gray', '│')} ${line}`.trimEnd());
