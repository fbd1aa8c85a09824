/**
 * `certain`: a matching text is almost always a credential. `likely`: a matching text may also be an ordinary text.
 */
export type Certainty = 'certain' | 'likely';

/** A match of a pattern. */
export interface Found {
  /** The part that is the secret. */
  readonly secret: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One kind of credential. */
export interface CredentialPattern {
  /** Name of the credential in messages. Never changed. */
  readonly kind: string;
  readonly certainty: Certainty;
  /** Literal prefixes, each at least two ASCII characters. The search tries the pattern wherever one occurs. */
  readonly starts: readonly string[];
  /** Where a prefix counts: `word` at the start of a word; `anywhere`; `name` anywhere and in any letter case. */
  readonly at: 'word' | 'anywhere' | 'name';
  /**
   * Sticky: must match from the prefix on, and may look behind it. Repetitions are bounded, so that the search is
   * linear in the length of the text. The first group, if there is one, is the secret.
   */
  readonly pattern: RegExp;
  /** Further check of a match. Absent: every match counts unless it is a sample. */
  readonly isReal?: (found: Found, certainty: Certainty) => boolean;
  /**
   * Which matches are samples and do not count. Absent: placeholders and, when only certain matches are reported, texts
   * of a few repeated characters. `placeholders`: only placeholders. `none`: every match counts.
   */
  readonly samples?: 'placeholders' | 'none';
}

/** Requires the end of a word after a pattern of exact length; a longer word is something else. */
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
 * A token recognised by its prefix.
 * @param rest a regular expression for the characters after the prefix
 */
export const token = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'certain', listOf(starts), rest);

/** A token whose prefix also starts ordinary texts. */
export const likelyToken = (kind: string, starts: string | readonly string[], rest: string): CredentialPattern =>
  tokenPattern(kind, 'likely', listOf(starts), rest);

interface MarkedForm {
  readonly kind: string;
  /** Literal texts in the middle of the token. */
  readonly marks: readonly string[];
  /**
   * Regular expressions: `before` for the part from the start of the word to the mark, `rest` for the mark and the part
   * after it.
   */
  readonly before: string;
  readonly rest: string;
}

/** A token recognised by a mark in its middle. */
export const marked = ({ kind, marks, before, rest }: MarkedForm): CredentialPattern => ({
  kind,
  certainty: 'certain',
  starts: marks,
  at: 'anywhere',
  // Matches the part after the mark first: it is shorter and fails sooner.
  pattern: new RegExp(`(?=${rest})(?<=(?:(?<![A-Za-z0-9])|\\\\[nrt])${before})${rest}`, 'y'),
});

/** Separators between a name and its value in code, JSON, YAML, INI files, query strings and headers, on one line. */
const GIVEN = String.raw`["'\\\]]{0,4}\s{0,3}(?:=>|:=|[=:])[^\S\r\n]{0,3}(?:["'${'`'}]|\\(?![nr])){0,3}`;

/**
 * A value recognised by its name.
 * @param name a regular expression, in any letter case, that begins with one of the starts
 * @param value a regular expression; its first group is the secret
 */
export const named = (starts: readonly string[], name: string, value: string) => ({
  starts,
  at: 'name' as const,
  pattern: new RegExp(`${name}${GIVEN}${value}`, 'iy'),
});
