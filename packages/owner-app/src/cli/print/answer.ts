import type { Command } from 'commander';
import { outlineLines } from '../../text/outline.ts';
import type { Json } from '../../text/read-as.ts';
import { jsonText } from '../../text/visible.ts';
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
