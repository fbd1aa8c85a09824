/**
 * How certain a match is. `certain`: nearly every matching text is a credential. `likely`: a matching text may also be an
 * ordinary text.
 */
export type Certainty = 'certain' | 'likely';

/** A place in a text where a pattern matches. */
export interface Found {
  /** The part of the match that is the secret. */
  readonly secret: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The description of one kind of credential. The search uses it to find credentials of this kind. */
export interface CredentialPattern {
  /** Name of the kind in messages, such as `Stripe key`. Must not change. */
  readonly kind: string;
  readonly certainty: Certainty;
  /**
   * Literal texts with which a match begins, each of at least two ASCII characters. The pattern is tried only where a
   * literal occurs.
   */
  readonly starts: readonly string[];
  /**
   * Where the literal texts of `starts` are found. `word`: at the start of a word. `anywhere`: also inside a word. `name`:
   * anywhere, in upper or lower case.
   */
  readonly at: 'word' | 'anywhere' | 'name';
  /**
   * A sticky regular expression: it matches at the place where a literal of `starts` was found, and may look behind that
   * place. Every repetition in it is bounded, so that the search takes time linear in the length of the text. If it has a
   * group, the first group is the secret.
   */
  readonly pattern: RegExp;
  /**
   * A further check of a match. If it returns false, the match is ignored. If it is absent, all matches count except
   * samples.
   */
  readonly isReal?: (found: Found, certainty: Certainty) => boolean;
  /**
   * Which matches are samples; samples are ignored. Absent: placeholders are samples; if only certain matches are reported,
   * texts of a few repeated characters are samples too. `placeholders`: only placeholders. `none`: no match is a sample.
   */
  readonly samples?: 'placeholders' | 'none';
}

/**
 * Part of a regular expression: the word must end here. Used after a pattern of a fixed length, because a longer word is
 * not that credential.
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

/** Like `token`, for a prefix that ordinary texts can have too. The matches are `likely`. */
export const likelyToken = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'likely', listOf(starts), rest);

interface MarkedForm {
  readonly kind: string;
  /** Literal texts that stand in the middle of the token. */
  readonly marks: readonly string[];
  /**
   * Regular expressions. `before` matches the characters from the start of the word up to the literal in the middle. `rest`
   * matches that literal and everything after it.
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
  // Tests `rest` first: it is shorter than `before`, so a text without the token is rejected sooner.
  pattern: new RegExp(`(?=${rest})(?<=(?:(?<![A-Za-z0-9])|\\\\[nrt])${before})${rest}`, 'y'),
});

/**
 * Matches the characters between a name and its value in code, JSON, YAML, INI files, query strings and headers, on one
 * line.
 */
const GIVEN = String.raw`["'\\\]]{0,4}\s{0,3}(?:=>|:=|[=:])[^\S\r\n]{0,3}(?:["'${'`'}]|\\(?![nr])){0,3}`;

/**
 * The pattern of a value that is a secret because of the name before it.
 * @param name a regular expression that begins with one of `starts`; upper and lower case are equal
 * @param value a regular expression; its first group is the secret
 */
export const named = (starts: readonly string[], name: string, value: string) => ({
  starts,
  at: 'name' as const,
  pattern: new RegExp(`${name}${GIVEN}${value}`, 'iy'),
});
