import { isKeyText, isPassword } from '../assigned-value.ts';
import { type CredentialPattern, type Found, named } from '../pattern.ts';

const VALUE = String.raw`([^\s"'${'`'},;&<>(){}[\]\\|]{6,200})`;

/**
 * Matches the text before a word such as `token` if both together name a value that grants no access, such as
 * `page_token`.
 */
const OPENS_NOTHING =
  /(?:next|page|paging|continu\w{2,6}|sync|cancel\w{0,6}|cursor|request|idempotency|trace|lock|fencing|csrf|xsrf|sort|public|design|bos|eos|pad|unk|max|min|num)[_. -]?$/i;
const LOOK_BACK_CHARS = 16;

const opensNothing = ({ text, start }: Found): boolean =>
  OPENS_NOTHING.test(text.slice(Math.max(0, start - LOOK_BACK_CHARS), start));

/** Whether a bracket follows the value. Such a value is the name of a function or an array in code. */
const isCode = ({ text, end }: Found): boolean => text[end] === '(' || text[end] === '[';

const isSecret = (found: Found): boolean => !isCode(found) && isKeyText(found.secret) && !opensNothing(found);

/** Whether a cookie has a long value of letters and digits. */
function isSecretPair(pair: string): boolean {
  const [name = '', value = ''] = pair.trim().split('=', 2);
  return value.length >= LEAST_COOKIE_CHARS && !/^_ga|expires/i.test(name) && isKeyText(value);
}

const LEAST_COOKIE_CHARS = 16;

function isBasicLogin(value: string): boolean {
  const [user, password] = Buffer.from(value, 'base64').toString('latin1').split(':', 2);
  return Boolean(
    user && password && /^[\x20-\x7e]{2,400}$/.test(user + password) && !/^pass(?:word)?$/i.test(password),
  );
}

const KEY_OF =
  '(?<=(?:api|access|auth|account|private|signing|encryption|master|service|role|app|application|secret)[_. -]?)key';
const SUFFIX = '(?:[_-]?(?:access[_-]?key|key[_-]?base|key|value|base))?';

const HEADERS: readonly CredentialPattern[] = [
  {
    kind: 'Authorization header',
    certainty: 'certain',
    samples: 'placeholders',
    ...named(
      ['authorization'],
      'authorization',
      '(?:bearer|token|apikey|api-key|key|splunk|genie\\w{0,3})\\s{1,3}([A-Za-z0-9._~+/=:-]{10,2000})',
    ),
    isReal: ({ secret }) => isKeyText(secret),
  },
  {
    kind: 'Authorization header',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['basic '],
    at: 'name',
    pattern: /(?<![A-Za-z])basic {1,3}([A-Za-z0-9+/]{8,400}={0,2})/iy,
    isReal: ({ secret }) => isBasicLogin(secret),
  },
  {
    kind: 'bearer token',
    certainty: 'likely',
    starts: ['bearer '],
    at: 'name',
    pattern: /bearer {1,3}([A-Za-z0-9._~+/=-]{16,2000})/iy,
    isReal: ({ secret }) => isKeyText(secret),
  },
  {
    kind: 'cookie',
    certainty: 'certain',
    samples: 'placeholders',
    ...named(['cookie'], 'cookie', '([^\\r\\n"\'\\\\]{16,1000})'),
    isReal: ({ secret }) => secret.split(';').some(isSecretPair),
  },
];

/** Patterns for values that count as secrets because of the name before them, such as `password=`. */
export const ASSIGNMENTS: readonly CredentialPattern[] = [
  ...HEADERS,
  {
    kind: 'password',
    certainty: 'likely',
    ...named(
      ['passw', 'passphrase', 'passcode', 'pwd', '_pass'],
      '(?:passw(?:or)?d|passphrase|passcode|pwd|_pass)(?:[_-]?value)?',
      VALUE,
    ),
    isReal: (found) => !isCode(found) && isPassword(found.secret),
  },
  {
    kind: 'secret',
    certainty: 'likely',
    ...named(['secret', 'token', 'credential', 'key'], `(?:secret|token|credentials?|${KEY_OF})${SUFFIX}`, VALUE),
    isReal: isSecret,
  },
];
