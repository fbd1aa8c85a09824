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
  /** The search looks for these, of at least two ASCII characters each, and tries the pattern where one stands. */
  readonly starts: readonly string[];
  /** Where a start counts: at the beginning of a word, anywhere, or as a name, anywhere and in any letter case. */
  readonly at: 'word' | 'anywhere' | 'name';
  /**
   * Sticky: it fits from the start on, and looks behind it for what stands before. It repeats only up to a bound, so that
   * a search costs the length of the text. Its first group, if it has one, is the secret.
   */
  readonly pattern: RegExp;
  /** Left out: every match is real that is no sample. */
  readonly isReal?: (found: Found, certainty: Certainty) => boolean;
  /**
   * Which matches pass as samples. Left out: placeholders and, where only certain kinds count, a few repeated characters.
   * `placeholders`: those alone. `none`: every match is a credential.
   */
  readonly samples?: 'placeholders' | 'none';
}

/** A length that is exact tells little when the word goes on. */
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
 * A token that its first characters tell.
 *
 * @param rest a regular expression of what follows them
 */
export const token = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'certain', listOf(starts), rest);

/** The same where the first characters leave a doubt. */
export const likelyToken = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'likely', listOf(starts), rest);

interface MarkedForm {
  readonly kind: string;
  /** The sign. */
  readonly marks: readonly string[];
  /** Regular expressions of what stands before the sign, from the beginning of a word, and of the sign with the rest. */
  readonly before: string;
  readonly rest: string;
}

/** A token that a sign in its middle tells. */
export const marked = ({ kind, marks, before, rest }: MarkedForm): CredentialPattern => ({
  kind,
  certainty: 'certain',
  starts: marks,
  at: 'anywhere',
  // What follows the sign is looked at first: it is shorter, and fails sooner.
  pattern: new RegExp(`(?=${rest})(?<=(?:(?<![A-Za-z0-9])|\\\\[nrt])${before})${rest}`, 'y'),
});

/** Between a name and its value in code, JSON, YAML, INI files, query strings and headers. A line end gives no value. */
const GIVEN = String.raw`["'\\\]]{0,4}\s{0,3}(?:=>|:=|[=:])[^\S\r\n]{0,3}(?:["'${'`'}]|\\(?![nr])){0,3}`;

/**
 * A value that its name tells.
 *
 * @param name a regular expression, in any letter case, that begins with one of the starts
 * @param value a regular expression; its first group is the secret
 */
export const named = (starts: readonly string[], name: string, value: string) => ({
  starts,
  at: 'name' as const,
  pattern: new RegExp(`${name}${GIVEN}${value}`, 'iy'),
});
