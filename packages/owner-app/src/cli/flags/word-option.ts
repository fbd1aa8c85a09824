import { Option } from 'commander';

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
export function wordsOf(option: Option): Words | undefined {
  if (option instanceof WordOption) return option.taken;
  return option.argChoices && { words: option.argChoices };
}
