import { COMMAND_LIST_TEXT } from './command-list-text.ts';
import type { CommandReference } from './reference.ts';

let parsed: readonly CommandReference[] = [];

/**
 * The description of every command, in the order of the help. The list was generated from the commands, and reading it takes
 * a few milliseconds. Loading the commands instead would load core and its schemas.
 */
export function commands(): readonly CommandReference[] {
  if (parsed.length === 0) parsed = JSON.parse(COMMAND_LIST_TEXT);
  return parsed;
}

/** The description of one command; undefined if there is no command of this name. */
export const commandNamed = (name: string | undefined): CommandReference | undefined =>
  commands().find((command) => command.name === name);
