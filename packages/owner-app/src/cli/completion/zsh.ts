import type { CommandReference, FlagReference } from '../flags/reference.ts';
import { shortPurpose, takesPath } from './choices.ts';

/** The completion script for zsh with its completion system loaded (`autoload -U compinit && compinit`). */
export function zshCompletion(commands: readonly CommandReference[]): string {
  const list = commands.map(({ name, summary }) => `    ${quoted(`${name}:${shortPurpose(summary)}`)}`);
  return `#compdef parley
# parley completion for zsh. Load it with: source <(parley completion zsh)
_parley() {
  local curcontext="$curcontext" state line
  local -a commands
  typeset -A opt_args
  commands=(
${list.join('\n')}
    ${quoted('help:display help for a command')}
  )
  _arguments -C '--help[display help]' '--version[output the version]' '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe -t commands 'parley command' commands ;;
  argument)
    case $words[1] in
${commands.map(commandCase).join('\n')}
    help) _describe -t commands 'parley command' commands ;;
    esac ;;
  esac
}
if [ "$funcstack[1]" = _parley ]; then _parley "$@"; else compdef _parley parley; fi
`;
}

function commandCase({ name, flags, arguments: all }: CommandReference): string {
  const specs = [
    ...flags.map(flagSpec),
    quoted('--help[display help]'),
    ...all.map((argument, index) =>
      quoted(`${index + 1}:${escaped(argument.name)}:${valuesOf(argument.name, argument.words)}`),
    ),
  ];
  return `    ${name}) _arguments ${specs.join(' ')} ;;`;
}

function flagSpec({ flag, takes, purpose, taken }: FlagReference): string {
  const shown = `[${escaped(shortPurpose(purpose))}]`;
  if (takes === undefined) return quoted(`${flag}${shown}`);
  const words = taken?.words;
  const values = taken?.isList ? `_values -s , word ${taken.words.join(' ')}` : valuesOf(takes, words);
  return quoted(`*${flag}=${shown}:${escaped(takes)}:${values}`);
}

const valuesOf = (name: string, words: readonly string[] | undefined): string =>
  words ? `(${words.join(' ')})` : takesPath(name) ? '_files' : ' ';

const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
