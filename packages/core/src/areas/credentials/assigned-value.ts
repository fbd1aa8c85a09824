import { entropyOf, isPlaceholder } from './placeholders.ts';

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
