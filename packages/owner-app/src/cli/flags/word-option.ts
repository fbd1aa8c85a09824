import { Option } from 'commander';

/** The words that a flag takes, and no other value. */
export interface Words {
  readonly words: readonly string[];
  /** Whether it takes several of them, with commas between. */
  readonly isList?: boolean;
  /** Whether a list may be empty, which is typed as `none`. */
  readonly mayBeNone?: boolean;
}

/** A flag that takes certain words. The parser of its value refuses others. */
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

/** The words that a flag takes; undefined for a flag that takes any text. */
export function wordsOf(option: Option): Words | undefined {
  if (option instanceof WordOption) return option.taken;
  return option.argChoices && { words: option.argChoices };
}
