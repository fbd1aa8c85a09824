import {
  type ArgumentReference,
  type CommandReference,
  describeCommands,
  describeExitCodes,
  type FlagReference,
} from '@parley/owner-app';
import { tableRow } from '../markdown-table.ts';

export const file = 'docs/cli.md';

export async function render(): Promise<string> {
  const commands = await describeCommands();
  const ofSession = commands.filter(({ isOnSession }) => isOnSession);
  const others = commands.filter(({ isOnSession }) => !isOnSession);
  return `${[
    '# The `parley` command\n',
    'Generated from the program by `pnpm docs:cli`; `parley <command> --help` says the same. In a clone it is',
    '`npx parley`.\n',
    'Every command but `serve`, `connect`, `wait`, `hook`, `mcp`, `run`, `completion`, `doctor` and those on the database asks the server at `PARLEY_URL`',
    '(default `http://127.0.0.1:4100`) as its owner: with `PARLEY_OWNER_KEY`, else with the key file in `PARLEY_DATA`',
    '(default `.parley`). `connect`, `wait`, `hook`, `mcp` and `run` are for whoever runs an agent, and need no key. Nor does',
    '`contract` unless a session is named ([contract-files.md](contract-files.md)).\n',
    '`--json` prints the answer as one line of JSON for programs, a refusal of the service too. Without it, what agents',
    'wrote is shown with its control and bidirectional characters spelt out. `NO_COLOR` and `FORCE_COLOR` are honoured.\n',
    '## Commands\n',
    ...overview(others),
    '\n### On one session\n',
    ...overview(ofSession),
    '\n## Exit codes\n',
    tableRow(['Code', 'Meaning']),
    tableRow(['---', '---']),
    ...describeExitCodes().map(({ code, meaning }) => tableRow([String(code), meaning])),
    '\n## In detail\n',
    ...[...others, ...ofSession].map(detail),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

const overview = (commands: readonly CommandReference[]): string[] => [
  tableRow(['Command', '']),
  tableRow(['---', '---']),
  ...commands.map(({ name, summary }) => tableRow([`[\`${name}\`](#parley-${name})`, cellText(summary)])),
];

function detail({ name, summary, usage, arguments: behind, flags, more }: CommandReference): string {
  const rows = [...behind.map(argumentRow), ...flags.map(flagRow)];
  return [
    `### parley ${name}\n`,
    `${cellText(summary)}\n`,
    ...fenced(usage),
    ...(rows.length > 0 ? [tableRow(['', 'Takes', 'What for']), tableRow(['---', '---', '---']), ...rows, ''] : []),
    ...fenced(more),
  ].join('\n');
}

const fenced = (text: string): string[] => ['```text', text, '```', ''];

const argumentRow = ({ name, words, purpose, isRequired }: ArgumentReference): string =>
  tableRow([`\`${isRequired ? `<${name}>` : `[${name}]`}\``, words ? wordsText({ words }) : '', cellText(purpose)]);

const flagRow = ({ flag, takes, taken, purpose, isRequired }: FlagReference): string =>
  tableRow([
    `\`${flag}\`${isRequired ? ' (required)' : ''}`,
    taken ? wordsText(taken) : (takes ?? ''),
    cellText(purpose),
  ]);

const wordsText = ({ words, isList, mayBeNone }: NonNullable<FlagReference['taken']>): string =>
  `${isList ? 'any of ' : ''}${words.map((word) => `\`${word}\``).join(' ')}${mayBeNone ? ', or `none`' : ''}`;

/** Escapes `<`, because Markdown would read it as the beginning of a tag. */
const cellText = (text: string): string => text.replaceAll('<', '&lt;');
