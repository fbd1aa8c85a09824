import { Argument, type Command } from 'commander';
import { type CommandReference, commands, type FlagReference } from './flags/reference.ts';
import type { Terminal } from './terminal.ts';

export const takesPath = (name: string | undefined): boolean =>
  /^(file|folder|json|file_or_session_id)$/.test(name ?? '');

/** The beginning of the description of a flag or command, at most 70 characters. Shells show it beside the name. */
export function shortPurpose(text: string): string {
  const first = text.split(/(?<=[.;])\s/)[0]?.replace(/[.;]$/, '') ?? '';
  return first.length > 70 ? `${first.slice(0, 69)}…` : first;
}

export const wordsBehind = ({ arguments: all }: CommandReference): readonly string[] => all[0]?.words ?? [];

/** Whether the value of a flag is free text, which a shell cannot complete. */
export const isFree = ({ takes, taken }: FlagReference): boolean => takes !== undefined && !taken && !takesPath(takes);

/**
 * The completion script for bash 3.2 and newer. The script also completes the value in `--flag=value` and the last word
 * of a comma-separated list.
 */
export function bashCompletion(commands: readonly CommandReference[]): string {
  const flagRows = commands.flatMap(flagCases);
  return `# parley completion for bash. Load it with: source <(parley completion bash)
_parley() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" cmd="\${COMP_WORDS[1]}" words="" head=""
  COMPREPLY=()
  if [ "$cur" = "=" ]; then cur=""; elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=( $(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$cur") )
    return
  fi
  case "$cmd:$prev" in
${flagRows.join('\n')}
  esac
  if [ -n "$words" ]; then
    case "$cur" in *,*) head="\${cur%,*}," ;; esac
    COMPREPLY=( $(compgen -P "$head" -W "$words" -- "\${cur##*,}") )
    return
  fi
  case "$cmd" in
${commands.map(commandCase).join('\n')}
  help) words="${commands.map(({ name }) => name).join(' ')}" ;;
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$cur") )
}
_parley_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=( $(compgen -f -- "$1") )
}
complete -F _parley parley
`;
}

function flagCases({ name, flags }: CommandReference): string[] {
  return flags.flatMap((flag) => {
    if (flag.taken) return [`  ${name}:${flag.flag}) words="${flag.taken.words.join(' ')}" ;;`];
    if (takesPath(flag.takes)) return [`  ${name}:${flag.flag}) _parley_files "$cur"; return ;;`];
    return isFree(flag) ? [`  ${name}:${flag.flag}) return ;;`] : [];
  });
}

function commandCase(command: CommandReference): string {
  const flags = [...command.flags.map(({ flag }) => flag), '--help'].join(' ');
  const behind = wordsBehind(command).join(' ');
  const other = takesPath(command.arguments[0]?.name)
    ? '*) _parley_files "$cur"; return ;;'
    : behind
      ? `*) words="${behind}" ;;`
      : `*) words="${flags}" ;;`;
  return `  ${command.name}) case "$cur" in -*) words="${flags}" ;; ${other} esac ;;`;
}

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

/** The completion script for zsh with its completion system loaded (`autoload -U compinit && compinit`). */
export function zshCompletion(commands: readonly CommandReference[]): string {
  const list = commands.map(({ name, summary }) => `    ${zshQuoted(`${name}:${shortPurpose(summary)}`)}`);
  return `#compdef parley
# parley completion for zsh. Load it with: source <(parley completion zsh)
_parley() {
  local curcontext="$curcontext" state line
  local -a commands
  typeset -A opt_args
  commands=(
${list.join('\n')}
    ${zshQuoted('help:display help for a command')}
  )
  _arguments -C '--help[display help]' '--version[output the version]' '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe -t commands 'parley command' commands ;;
  argument)
    case $words[1] in
${commands.map(zshCommandCase).join('\n')}
    help) _describe -t commands 'parley command' commands ;;
    esac ;;
  esac
}
if [ "$funcstack[1]" = _parley ]; then _parley "$@"; else compdef _parley parley; fi
`;
}

function zshCommandCase({ name, flags, arguments: all }: CommandReference): string {
  const specs = [
    ...flags.map(flagSpec),
    zshQuoted('--help[display help]'),
    ...all.map((argument, index) =>
      zshQuoted(`${index + 1}:${escaped(argument.name)}:${valuesOf(argument.name, argument.words)}`),
    ),
  ];
  return `    ${name}) _arguments ${specs.join(' ')} ;;`;
}

function flagSpec({ flag, takes, purpose, taken }: FlagReference): string {
  const shown = `[${escaped(shortPurpose(purpose))}]`;
  if (takes === undefined) return zshQuoted(`${flag}${shown}`);
  const words = taken?.words;
  const values = taken?.isList ? `_values -s , word ${taken.words.join(' ')}` : valuesOf(takes, words);
  return zshQuoted(`*${flag}=${shown}:${escaped(takes)}:${values}`);
}

const valuesOf = (name: string, words: readonly string[] | undefined): string =>
  words ? `(${words.join(' ')})` : takesPath(name) ? '_files' : ' ';

const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

const zshQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

const EXAMPLES = `
Examples:
  source <(parley completion bash)          in ~/.bashrc
  source <(parley completion zsh)           in ~/.zshrc, after compinit
  parley completion fish | source           in ~/.config/fish/config.fish`;

/** Adds `parley completion`, which generates its scripts from the commands of this version. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('Print a script that completes commands, flags and their words in your shell.')
    .addArgument(new Argument('<shell>', 'the shell for which to print the script').choices(Object.keys(SHELLS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: keyof typeof SHELLS) => terminal.out(SHELLS[shell](commands()).trimEnd()));
}
