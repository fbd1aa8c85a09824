/** `certain`: a text that can hardly be anything else. `likely`: what people also write when they mean no secret. */
export type Certainty = 'certain' | 'likely';

/** A place where a pattern fits. */
export interface Found {
  /** The part that would be the secret. */
  readonly secret: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One kind of credential. */
export interface CredentialPattern {
  /** What it is, as messages name it. Stable. */
  readonly kind: string;
  readonly certainty: Certainty;
  /** One of these stands in every text that the pattern fits; left out where letter case varies. */
  readonly literals?: readonly string[];
  /**
   * Global. Repeats only up to a bound, and nothing follows a repeat of variable length that could fail for lack of a
   * shorter one: so a search costs the length of the text. Its first group, if it has one, is the secret.
   */
  readonly pattern: RegExp;
  /** Left out: anything but a placeholder is real. */
  readonly isReal?: (found: Found) => boolean;
}

/** Not in the middle of a word; an escaped line end or a percent-encoded sign before it ends a word. */
const WORD_START = '(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]|%[0-9A-Fa-f]{2}))';
/** A length that is exact tells little when the word goes on. */
const WORD_END = '(?![A-Za-z0-9])';

interface TokenForm {
  readonly kind: string;
  /** Beginnings of which each token has one. */
  readonly starts: readonly string[];
  /** A regular expression of the rest. */
  readonly rest: string;
  readonly certainty?: Certainty;
}

/** A token that its first characters tell. */
export const tokenPattern = ({ kind, starts, rest, certainty = 'certain' }: TokenForm): CredentialPattern => ({
  kind,
  certainty,
  literals: starts,
  pattern: new RegExp(
    `${WORD_START}(?:${starts.map(escaped).join('|')})${rest}${rest.endsWith('}') && !/,\d*\}$/.test(rest) ? WORD_END : ''}`,
    'g',
  ),
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Shorthand of {@link tokenPattern} for tables. */
export const token = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern({ kind, starts: typeof starts === 'string' ? [starts] : starts, rest });

/** The same for what is a secret only as a rule. */
export const likelyToken = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern({ kind, starts: typeof starts === 'string' ? [starts] : starts, rest, certainty: 'likely' });
