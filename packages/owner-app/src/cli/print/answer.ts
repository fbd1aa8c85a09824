import type { Command } from 'commander';
import type { Page } from '../../text/page.ts';
import type { Json } from '../../text/read-as.ts';
import { outlineLines, type Table, tableLines, wrapText } from '../../text/table.ts';
import { jsonText, visible, visibleLine } from '../../text/visible.ts';
import type { Terminal } from '../terminal.ts';

export const withJson = (command: Command): Command => command.option('--json', 'print the raw answer');

/** Adds the flags of a command that reads something long. It prints with {@link printPages}. */
export const withPager = (command: Command): Command =>
  withJson(command).option('--no-pager', 'print a text that is longer than the terminal without a pager');

/** Prints an answer as JSON if the user gave `--json`. Otherwise prints the lines that `show` returns. */
export function printAnswer(terminal: Terminal, command: Command, answer: Json, show = outlineOf): void {
  if (command.opts().json === true) terminal.out(jsonText(answer));
  else for (const line of show(answer, terminal)) terminal.out(line);
}

/** Like {@link printAnswer}, but shows lines that do not fit on the terminal in a pager, unless the user gave `--no-pager`. */
export async function printPages(terminal: Terminal, command: Command, answer: Json, show: Show): Promise<void> {
  const { json, pager } = command.opts<{ json?: true; pager?: boolean }>();
  const lines = json ? [jsonText(answer)] : show(answer, terminal);
  const text = `${lines.join('\n')}\n`;
  const isLong = terminal.rows !== undefined && text.split('\n').length > terminal.rows;
  if (pager && !json && isLong && (await terminal.pager?.(text))) return;
  for (const line of lines) terminal.out(line);
}

type Show = (answer: Json, terminal: Terminal) => string[];

const outlineOf = (answer: Json, terminal: Terminal): string[] => outlineLines(answer, terminal);

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
