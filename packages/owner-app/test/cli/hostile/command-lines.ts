import { commands } from '../../../src/cli/flags/reference.ts';

/** Commands that read no answer of a server. Every other command is run against every hostile server. */
const LOCAL = ['serve', 'demo', 'migrate', 'backup', 'retain', 'restore', 'completion'];
/** Commands that hand a program what the server has sent, and end when that program ends: they print nothing for people. */
const FOR_PROGRAMS = ['mcp'];

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  wait: ['--timeout', '1'],
  hook: ['--timeout', '1', '--away', '1'],
  run: ['--command', 'true', '--max-minutes', '0.005'],
};

const WORDS: Readonly<Record<string, string>> = {
  ...{ session_id: 'S', file_or_session_id: 'S', record_id: 'q_1', code: 'CODE', words: 'key', on_or_off: 'on' },
  ...{ '--revision-id': 'r_1', '--filename': 'plan.md', '--quota': 'findings', '--rounds': '2', '--for': 'curl' },
};

/** The command lines of all commands that read a server, each with its mandatory arguments and flags. */
export const lines = commands()
  .filter(({ name }) => ![...LOCAL, ...FOR_PROGRAMS].includes(name))
  .map(({ name, arguments: given, flags }): readonly string[] => [
    name,
    ...given.filter((one) => one.isRequired || one.name === 'code').map((one) => WORDS[one.name] ?? 'x'),
    ...flags
      .filter(({ isRequired }) => isRequired)
      .flatMap(({ flag, taken }) => [flag, WORDS[flag] ?? taken?.words[0] ?? 'x']),
    ...(ENDINGS[name] ?? []),
  ]);
