import { describeCommands } from '@parley/owner-app';

export const file = 'packages/owner-app/src/cli/flags/command-list-text.ts';

/**
 * A module that contains the description of every command, so that `parley --help` need not load the code of the
 * commands.
 */
export async function render(): Promise<string> {
  const text = JSON.stringify(await describeCommands()).replace(/[\\']/g, '\\$&');
  return `/** Generated from the program by \`pnpm docs:command-list\`: a list of CommandReference as JSON. */
export const COMMAND_LIST_TEXT =
  '${text}';
`;
}
