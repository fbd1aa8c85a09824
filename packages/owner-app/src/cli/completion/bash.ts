import type { CommandReference } from '../flags/reference.ts';
import { isFree, takesPath, wordsBehind } from './choices.ts';

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
