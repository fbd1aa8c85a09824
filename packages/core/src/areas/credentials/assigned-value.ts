import { entropyOf, isPlaceholder } from './placeholders.ts';

/** Names of types, algorithms and encodings, whose digits say nothing. */
const TECHNICAL =
  /u?int\d+|float\d+|base\d+|sha-?\d+|md5|utf-?\d+|[aehr]s(?:256|384|512)|aes-?\d*|ed25519|x25519|p256|oauth2|bcrypt|argon2(?:id)?|pbkdf2|http2?|ipv[46]|s3|k8s|i18n|v\d+/gi;
/** Variables, paths, addresses, options, dates, digests. */
const NO_VALUE =
  /^(?:\$(?![a-z0-9]{0,20}[!@#%^&*?])|%|@|\/|\.{1,2}\/|~\/|-|[a-z]+:\/\/|[a-z]:\\|\d{4}-\d\d-\d\d|(?:sha\d+|md5)[-:=])/i;
const VARIABLE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Words with a number at most: `orders-db-v2`, `process.env.API_KEY_2`, `sessionToken1`. */
const WORD = /^(?:[A-Za-z]+\d{0,2}|\d{1,4}|v\d{1,3})?$/;

const count = (value: string, what: RegExp): number => value.match(what)?.length ?? 0;

const isName = (value: string): boolean => VARIABLE_NAME.test(value);

const areWords = (value: string): boolean => {
  const words = value.split(/[-_.:/]+/);
  return words.length > 1 && words.every((word) => WORD.test(word) && word.length <= 20);
};

const LEAST_PASSWORD_CHARS = 6;
const SYMBOLS = /[!@#$%^*~+=?]/g;

/** Whether what is given to a member named password is a password: letters with a digit or a sign among them. */
export function isPassword(value: string): boolean {
  if (value.length < LEAST_PASSWORD_CHARS || isPlaceholder(value) || NO_VALUE.test(value)) return false;
  if (isName(value) || areWords(value)) return false;
  const bare = value.replace(TECHNICAL, '');
  const letters = count(bare, /[A-Za-z]/g);
  return letters >= 2 && (count(bare, /\d/g) > 0 || count(bare, SYMBOLS) > 0);
}

const LEAST_KEY_CHARS = 10;
const LEAST_KEY_ENTROPY = 2.9;

/** Whether what is given to a member named secret, token or key is one: long, mixed, and no name of anything. */
export function isKeyText(value: string): boolean {
  if (value.length < LEAST_KEY_CHARS || isPlaceholder(value) || NO_VALUE.test(value)) return false;
  if (isName(value) || areWords(value)) return false;
  const bare = value.replace(TECHNICAL, '');
  const digits = count(bare, /\d/g);
  if (digits < 2 || count(bare, /[A-Za-z]/g) < 2) return false;
  return !/^[A-Za-z]+\d{1,3}$/.test(bare) && entropyOf(value) >= LEAST_KEY_ENTROPY;
}

const DEFAULTS = /^(?:password|passwd|pass|pwd|pw|secret|changeit|null|undefined|none|empty|string|test)$/i;

/** Whether the password inside an address is one: not a word for it, nor the user's name again. */
export const isAddressPassword = (password: string, user: string): boolean =>
  !DEFAULTS.test(password) &&
  password !== user &&
  password.length >= 3 &&
  !isPlaceholder(password) &&
  !/^[$%[(]|\*\*/.test(password) &&
  !isName(password);
