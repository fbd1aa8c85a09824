import { COMMAND_LIST_TEXT } from './command-list-text.ts';
import type { CommandReference } from './reference.ts';

let parsed: readonly CommandReference[] = [];

/**
 * The description of every command, in the order of the help. Reads a generated list, which is faster than loading the
 * commands with core and its schemas.
 */
export function commands(): readonly CommandReference[] {
  if (parsed.length === 0) parsed = JSON.parse(COMMAND_LIST_TEXT);
  return parsed;
}

export const commandNamed = (name: string | undefined): CommandReference | undefined =>
  commands().find((command) => command.name === name);
