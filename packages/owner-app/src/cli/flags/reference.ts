import type { Argument, Command, Option } from 'commander';
import { WordOption, type Words, wordsOf } from './word-option.ts';

/** An argument of a command. */
export interface ArgumentReference {
  readonly name: string;
  readonly purpose: string;
  readonly isRequired: boolean;
  /** All accepted words. Undefined if the argument accepts any text. */
  readonly words?: readonly string[] | undefined;
}

export interface FlagReference {
  /** The flag itself, such as `--role`. */
  readonly flag: string;
  /** Kind of the flag's value, such as `word` or `file`; absent for a switch. */
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
  readonly usage: string;
  readonly arguments: readonly ArgumentReference[];
  readonly flags: readonly FlagReference[];
  /** The texts that the help shows below the flags, such as examples. */
  readonly more: string;
}

/** Describes a command for documents and completions. */
export function describeCommand(command: Command): CommandReference {
  const flags = command.options.filter(({ hidden }) => !hidden).map(describeFlag);
  return {
    name: command.name(),
    summary: command.description(),
    isOnSession: command.registeredArguments[0]?.name() === 'session_id',
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

function describeFlag(option: Option): FlagReference {
  return {
    flag: option.long ?? option.flags,
    takes: /<(.+)>$/.exec(option.flags)?.[1],
    purpose: option instanceof WordOption ? option.purpose : option.description,
    isRequired: option.mandatory,
    taken: wordsOf(option),
  };
}

/**
 * The texts that a command adds below its flags. Commander does not give access to them. They are the part of the output of
 * `outputHelp` that the output of `helpInformation` lacks.
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
