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
  /** Present if a match may also be an ordinary text. */
  readonly certainty?: 'likely';
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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

type Starts = string | readonly string[];

/**
 * The pattern of a token that begins with a known prefix.
 * @param rest a regular expression for the characters after the prefix
 */
export function token(kind: string, prefixes: Starts, rest: string): CredentialPattern {
  const starts = [prefixes].flat();
  const end = EXACT.test(rest) ? WORD_END : '';
  return { kind, starts, at: 'word', pattern: new RegExp(`(?:${starts.map(escaped).join('|')})${rest}${end}`, 'y') };
}

/** Like {@link token}, for a prefix that ordinary texts can have too. The matches are `likely`. */
export const likelyToken = (...given: Parameters<typeof token>): CredentialPattern => ({
  ...token(...given),
  certainty: 'likely',
});

/** A pattern that is tried also inside words. */
export const anywhere = (kind: string, starts: Starts, pattern: RegExp): CredentialPattern => ({
  kind,
  starts: [starts].flat(),
  at: 'anywhere',
  pattern,
});

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
export const named = (kind: string, starts: readonly string[], name: string, value: string): CredentialPattern => ({
  kind,
  starts,
  at: 'name',
  pattern: new RegExp(`${name}${GIVEN}${value}`, 'iy'),
});

/** Characters that people write in place of a secret: stars, dots, a row of x, the brackets of a template. */
const LEFT_OUT = /x{4}|X{4}|\*{3}|\.{3}|…|•{2}|#{4}|_{4}|0{10}|<|>|\{\{|\$\{/;
const STANDS_FOR =
  /example|placeholder|redacted|removed|masked|hidden|omitted|elided|your[-_]|[-_]here\b|change[-_]?me|dummy|sample|replace[-_]?(?:me|with|this)|insert[-_]|fake[-_]|not[-_]?(?:a[-_]?)?real|foobar|deadbeef/i;

/** Sample keys in the documentation of vendors, without their prefixes. */
const DOCUMENTED = [
  '4eC39HqLyjWDarjtT1zdp7dc',
  'TYooMQauvdEDq54NiTphI7jx',
  '16C7e42F292c6912E7710c838347Ae178B4a',
  '17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy',
  'SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe',
];

export const isPlaceholder = (secret: string): boolean =>
  LEFT_OUT.test(secret) || STANDS_FOR.test(secret) || DOCUMENTED.some((key) => secret.includes(key));

const END_CHARS = 24;
const LEAST_DIFFERENT_CHARS = 8;

/** Whether the end of a text has many different characters. Invented samples repeat a few characters. */
export const looksRandom = (secret: string): boolean => new Set(secret.slice(-END_CHARS)).size >= LEAST_DIFFERENT_CHARS;

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Names of types, algorithms and encodings, such as `sha256`. The digits in these names do not count as digits of a
 * secret.
 */
const TECHNICAL =
  /u?int\d+|float\d+|base\d+|sha-?\d+|md5|utf-?\d+|[aehr]s(?:256|384|512)|aes-?\d*|ed25519|x25519|p256|oauth2|bcrypt|argon2(?:id)?|pbkdf2|http2?|ipv[46]|k8s|i18n|(?<![a-z])(?:s3|v\d+)(?![a-z0-9])/gi;
/** Beginnings of values that are not secrets: variables, paths, addresses, options, dates and digests. */
const NO_VALUE =
  /^(?:\$(?![a-z0-9]{0,20}[!@#%^&*?])|%|@|\/|\.{1,2}\/|~\/|-|[a-z]+:\/\/|[a-z]:\\|\d{4}-\d\d-\d\d|(?:sha\d+|md5)[-:=])/i;
const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/**
 * A part of an ordinary name: a word, optionally followed by a short number. `orders-db-v2`, `process.env.API_KEY_2` and
 * `sessionToken1` consist of such parts.
 */
const WORD = /^(?:[A-Za-z]+\d{0,2}|\d{1,4}|v\d{1,3})?$/;

/** Only this many characters at the beginning of a value are examined. */
const JUDGED_CHARS = 80;

const isName = (value: string): boolean => VARIABLE_NAME.test(value);

const areWords = (value: string): boolean => {
  const words = value.split(/[-_.:/]+/);
  return words.length > 1 && words.every((word) => word.length <= 20 && WORD.test(word));
};

interface Signs {
  readonly letters: number;
  readonly digits: number;
  readonly symbols: number;
}

const SYMBOLS = '!@#$%^*~+=?';

function signsIn(value: string): Signs {
  let letters = 0;
  let digits = 0;
  let symbols = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code >= 48 && code <= 57) digits += 1;
    else if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) letters += 1;
    else if (SYMBOLS.includes(value.charAt(index))) symbols += 1;
  }
  return { letters, digits, symbols };
}

const isNoValue = (value: string): boolean =>
  NO_VALUE.test(value) || isName(value) || isPlaceholder(value) || areWords(value);

const LEAST_PASSWORD_CHARS = 6;

/** Whether a value looks like a password: it has letters, and digits or symbols. */
export function isPassword(given: string): boolean {
  const value = given.slice(0, JUDGED_CHARS);
  if (value.length < LEAST_PASSWORD_CHARS || !mayBePassword(value) || isNoValue(value)) return false;
  return mayBePassword(value.replace(TECHNICAL, ''));
}

function mayBePassword(value: string): boolean {
  const { letters, digits, symbols } = signsIn(value);
  return letters >= 2 && digits + symbols > 0;
}

const LEAST_KEY_CHARS = 10;
const LEAST_KEY_ENTROPY = 2.9;

/** Whether a value looks like a secret key: it is long and random, and has both letters and digits. */
export function isKeyText(given: string): boolean {
  const value = given.slice(0, JUDGED_CHARS);
  if (value.length < LEAST_KEY_CHARS || !mayBeKey(value) || isNoValue(value)) return false;
  const bare = value.replace(TECHNICAL, '');
  return mayBeKey(bare) && !/^[A-Za-z]+\d{1,3}$/.test(bare) && entropyOf(value) >= LEAST_KEY_ENTROPY;
}

function mayBeKey(value: string): boolean {
  const { letters, digits } = signsIn(value);
  return letters >= 2 && digits >= 2;
}

const DEFAULTS = /^(?:password|passwd|pass|pwd|pw|secret|changeit|null|undefined|none|empty|string|test)$/i;

/**
 * Whether the password in an address looks real: it is not a common default, a placeholder, a variable or the user
 * name.
 */
export const isAddressPassword = (password: string, user: string): boolean =>
  !DEFAULTS.test(password) &&
  password !== user &&
  !isPlaceholder(password) &&
  !/^[$%[(*]/.test(password) &&
  !isName(password);
