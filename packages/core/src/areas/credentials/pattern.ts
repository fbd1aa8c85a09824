/**
 * How certain a match is. `certain`: nearly every match is a credential. `likely`: a match may also be an ordinary
 * text.
 */
export type Certainty = 'certain' | 'likely';

export interface Found {
  /** The part of the match that grants access. */
  readonly secret: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface CredentialPattern {
  /** Name of the kind in messages, such as `Stripe key`. Must not change. */
  readonly kind: string;
  readonly certainty: Certainty;
  /**
   * Literal texts with which a match begins, each of at least two ASCII characters. The pattern is tried only where
   * such a text occurs.
   */
  readonly starts: readonly string[];
  /**
   * Where in a text the pattern is tried. `word`: a text of `starts` begins a word there. `anywhere`: also inside a
   * word. `name`: also inside a word, and upper and lower case are equal.
   */
  readonly at: 'word' | 'anywhere' | 'name';
  /**
   * A sticky regular expression. It matches where a text of `starts` was found, and may look behind that place. Every
   * repetition is bounded, so that the search takes time linear in the length of the text. If the expression has a
   * group, the first group is the secret.
   */
  readonly pattern: RegExp;
  /** A further check of a match. If the check returns false, the match is ignored. */
  readonly isReal?: (found: Found, certainty: Certainty) => boolean;
  /**
   * Which matches are ignored as samples. `none`: no match is ignored. `placeholders`: placeholders are ignored.
   * Absent: placeholders are ignored and, if only `certain` matches are reported, also texts that repeat a few
   * characters.
   */
  readonly samples?: 'placeholders' | 'none';
}

/**
 * Part of a regular expression that requires the end of a word. Appended to a pattern with a fixed number of
 * characters, which would otherwise match the beginning of a longer word.
 */
const WORD_END = '(?![A-Za-z0-9])';
const EXACT = /\{\d+\}$/;

const tokenPattern = (kind: string, certainty: Certainty, starts: readonly string[], rest: string) => ({
  kind,
  certainty,
  starts,
  at: 'word' as const,
  pattern: new RegExp(`(?:${starts.map(escaped).join('|')})${rest}${EXACT.test(rest) ? WORD_END : ''}`, 'y'),
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const listOf = (starts: string | readonly string[]): readonly string[] =>
  typeof starts === 'string' ? [starts] : starts;

/**
 * The pattern of a token that begins with a known prefix.
 * @param rest a regular expression for the characters after the prefix
 */
export const token = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'certain', listOf(starts), rest);

/** Like {@link token}, for a prefix that ordinary texts can have too. The matches are `likely`. */
export const likelyToken = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'likely', listOf(starts), rest);

interface MarkedForm {
  readonly kind: string;
  /** Literal texts that stand in the middle of the token and identify it. */
  readonly marks: readonly string[];
  /**
   * Two regular expressions. `before` matches the beginning of the token, up to the text of `marks`. `rest` matches
   * this text and the remaining part of the token.
   */
  readonly before: string;
  readonly rest: string;
}

/** The pattern of a token that is recognised by a literal text in its middle. */
export const marked = ({ kind, marks, before, rest }: MarkedForm): CredentialPattern => ({
  kind,
  certainty: 'certain',
  starts: marks,
  at: 'anywhere',
  // Tests `rest` first, because `rest` needs less time to reject a text.
  pattern: new RegExp(`(?=${rest})(?<=(?:(?<![A-Za-z0-9])|\\\\[nrt])${before})${rest}`, 'y'),
});

/**
 * Matches what stands between a name and its value in code, JSON, YAML, INI files, query strings and headers, on one
 * line.
 */
const GIVEN = String.raw`["'\\\]]{0,4}\s{0,3}(?:=>|:=|[=:])[^\S\r\n]{0,3}(?:["'${'`'}]|\\(?![nr])){0,3}`;

/**
 * The pattern of a value that counts as a secret because of the name before it.
 * @param name a regular expression that begins with a text of `starts`; upper and lower case are equal
 * @param value a regular expression whose first group is the secret
 */
export const named = (starts: readonly string[], name: string, value: string) => ({
  starts,
  at: 'name' as const,
  pattern: new RegExp(`${name}${GIVEN}${value}`, 'iy'),
});
