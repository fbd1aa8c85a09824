import type { Argument, Command, Option } from 'commander';
import { WordOption, type Words, wordsOf } from './word-option.ts';

/** An argument of a command. */
export interface ArgumentReference {
  readonly name: string;
  readonly purpose: string;
  readonly isRequired: boolean;
  /** All words that the argument accepts. Undefined if the argument accepts any text. */
  readonly words?: readonly string[] | undefined;
}

export interface FlagReference {
  /** The name of the flag, such as `--role`. */
  readonly flag: string;
  /** Kind of the flag's value, such as `word` or `file`. Absent for a switch. */
  readonly takes?: string | undefined;
  readonly purpose: string;
  readonly isRequired: boolean;
  readonly taken?: Words | undefined;
}

/** One command of `parley`. */
export interface CommandReference {
  readonly name: string;
  readonly summary: string;
  readonly isOnSession: boolean;
  /** The heading in the help under which the command is listed. */
  readonly group: string;
  readonly usage: string;
  readonly arguments: readonly ArgumentReference[];
  readonly flags: readonly FlagReference[];
  /** The texts below the flags in the help, such as examples. */
  readonly more: string;
}

/** Describes a command, for documents and completion scripts. */
export function describeCommand(command: Command): CommandReference {
  const flags = command.options.filter(({ hidden }) => !hidden).map(describeFlag);
  return {
    name: command.name(),
    summary: command.description(),
    isOnSession: command.registeredArguments[0]?.name() === 'session_id',
    group: command.helpGroup(),
    usage: `parley ${command.name()} ${command.usage()}`,
    arguments: command.registeredArguments.map(describeArgument),
    flags,
    more: textBelowFlags(command),
  };
}

const describeArgument = (argument: Argument): ArgumentReference => ({
  name: argument.name(),
  purpose: argument.description,
  isRequired: argument.required,
  words: argument.argChoices,
});

/** Describes a flag, for documents, completion scripts and example command lines. */
export function describeFlag(option: Option): FlagReference {
  return {
    flag: option.long ?? option.flags,
    takes: /<(.+)>$/.exec(option.flags)?.[1],
    purpose: option instanceof WordOption ? option.purpose : option.description,
    isRequired: option.mandatory,
    taken: wordsOf(option),
  };
}

/**
 * Returns the texts that a command adds below its flags. Commander returns these texts only at the end of the output of
 * `outputHelp`, so the text that `helpInformation` returns is removed from the beginning of that output.
 */
function textBelowFlags(command: Command): string {
  let whole = '';
  command.configureOutput({
    writeOut: (text) => {
      whole += text;
    },
  });
  command.outputHelp();
  return whole.slice(command.helpInformation().length).trim();
}
