import type { Command } from 'commander';
import { outlineLines } from '../../text/outline.ts';
import type { Json } from '../client/request.ts';
import type { Terminal } from '../terminal.ts';

export const withJson = (command: Command): Command => command.option('--json', 'print the raw answer');

/** Prints an answer as JSON if the user gave `--json`. Otherwise prints the lines that `show` returns. */
export function printAnswer(terminal: Terminal, command: Command, answer: Json, show = outlineOf): void {
  if (command.opts().json === true) terminal.out(JSON.stringify(answer));
  else for (const line of show(answer, terminal)) terminal.out(line);
}

const outlineOf = (answer: Json, terminal: Terminal): string[] => outlineLines(answer, terminal);
