import { Argument, type Command } from 'commander';
import { commands } from '../flags/command-list.ts';
import type { Terminal } from '../terminal.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

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
