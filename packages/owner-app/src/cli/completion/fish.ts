import type { CommandReference, FlagReference } from '../flags/reference.ts';
import { shortPurpose, takesPath, wordsBehind } from './choices.ts';

/** The completion script for fish 3 and newer. */
export function fishCompletion(commands: readonly CommandReference[]): string {
  return `# parley completion for fish. Load it with: parley completion fish | source
complete -c parley -f
complete -c parley -n __fish_use_subcommand -l help -d 'Display help'
complete -c parley -n __fish_use_subcommand -l version -d 'Output the version'
${commands.flatMap(commandLines).join('\n')}
complete -c parley -n __fish_use_subcommand -a help -d 'Display help for a command'
`;
}

function commandLines(command: CommandReference): string[] {
  const { name, summary, flags, arguments: all } = command;
  const within = `complete -c parley -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const words = wordsBehind(command);
  return [
    `complete -c parley -n __fish_use_subcommand -a ${name} -d ${quoted(shortPurpose(summary))}`,
    ...(words.length > 0 ? [`${within} -a ${quoted(words.join(' '))}`] : []),
    ...(takesPath(all[0]?.name) ? [`${within} -F`] : []),
    ...flags.map((flag) => `${within} ${flagPart(flag)}`),
    `${within} -l help -d 'Display help'`,
  ];
}

function flagPart({ flag, takes, purpose, taken }: FlagReference): string {
  const value = taken ? ` -x -a ${quoted(taken.words.join(' '))}` : takesPath(takes) ? ' -r -F' : takes ? ' -x' : '';
  return `-l ${flag.slice(2)}${value} -d ${quoted(shortPurpose(purpose))}`;
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
