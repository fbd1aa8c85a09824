import { type Argument, type Command, Option } from 'commander';
import { COMMAND_LIST_TEXT } from './command-list-text.ts';

/** The words that a flag accepts. */
export interface Words {
  readonly words: readonly string[];
  /** Whether the flag accepts several words, separated by commas. */
  readonly isList?: boolean;
  /** Whether the list may be empty. For an empty list, the user types `none`. */
  readonly mayBeNone?: boolean;
}

/** A flag that accepts certain words, which documents and completion scripts list. */
export class WordOption extends Option {
  constructor(
    flags: string,
    readonly purpose: string,
    readonly taken: Words,
  ) {
    super(flags, [purpose, noteOf(taken)].filter(Boolean).join(' '));
  }
}

const noteOf = ({ words, isList, mayBeNone }: Words): string =>
  isList ? `(any of ${words.join(',')}${mayBeNone ? '; or none' : ''})` : '';

/** The words that a flag accepts. Undefined for a flag that accepts any text. */
function wordsOf(option: Option): Words | undefined {
  if (option instanceof WordOption) return option.taken;
  return option.argChoices && { words: option.argChoices };
}

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

let parsed: readonly CommandReference[] = [];

/**
 * The description of every command, in the order of the help. Reads a generated list, which is faster than loading the
 * commands with core and its schemas.
 */
export function commands(): readonly CommandReference[] {
  if (parsed.length === 0) parsed = JSON.parse(COMMAND_LIST_TEXT);
  return parsed;
}

export const commandNamed = (name: string | undefined): CommandReference | undefined =>
  commands().find((command) => command.name === name);
