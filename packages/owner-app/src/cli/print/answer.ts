import type { Command } from 'commander';
import { outlineLines } from '../../text/outline.ts';
import type { Json } from '../client/request.ts';
import type { Terminal } from '../terminal.ts';

/** Adds the flag `--json`. Every command that calls the server has this flag. */
export const withJson = (command: Command): Command => command.option('--json', 'print the raw answer');

/**
 * Prints an answer: as JSON if the user gave `--json`, otherwise as the function `show` formats it. By default, `show`
 * makes an outline.
 */
export function printAnswer(terminal: Terminal, command: Command, answer: Json, show = outlineOf): void {
  if (command.opts().json === true) terminal.out(JSON.stringify(answer));
  else for (const line of show(answer, terminal)) terminal.out(line);
}

const outlineOf = (answer: Json, terminal: Terminal): string[] => outlineLines(answer, terminal);
