import type { Argument, Command, Option } from 'commander';
import { WordOption, type Words, wordsOf } from './word-option.ts';

/** What stands behind the name of a command. */
export interface ArgumentReference {
  readonly name: string;
  readonly purpose: string;
  readonly isRequired: boolean;
  /** The only words it takes. */
  readonly words?: readonly string[] | undefined;
}

export interface FlagReference {
  /** As it is typed: `--role`. */
  readonly flag: string;
  /** What it takes, such as `word` or `file`; a switch takes nothing. */
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
  /** Examples, and what else its help says below the flags. */
  readonly more: string;
}

/** A command as documents and completions need it. */
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

/** Commander keeps these texts to itself: they are what the whole help has more than the plain one. */
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
