import { isKeyText, isPassword } from '../assigned-value.ts';
import type { CredentialPattern, Found } from '../pattern.ts';

/** Between a name and its value, in code, JSON, YAML, INI files, query strings and headers. */
const GIVEN = String.raw`["'\\\]]{0,4}\s{0,3}(?:=>|:=|[=:])\s{0,3}[\\"'${'`'}]{0,3}`;
const VALUE = String.raw`([^\s"'${'`'},;&<>(){}[\]\\|]{6,200})`;

/** Tokens that open nothing: they say where a page begins, or which request is meant. */
const OPENS_NOTHING =
  /(?:next|page|paging|continu\w{2,6}|sync|cancel\w{0,6}|cursor|request|idempotency|trace|lock|fencing|csrf|xsrf|sort|public|design|bos|eos|pad|unk|max|min|num)[_. -]?$/i;
const LOOK_BACK_CHARS = 16;

const opensNothing = ({ text, start }: Found): boolean =>
  OPENS_NOTHING.test(text.slice(Math.max(0, start - LOOK_BACK_CHARS), start));

/** A value that a bracket follows is code: a call, a look-up. */
const isCode = ({ text, end }: Found): boolean => text[end] === '(' || text[end] === '[';

const PAIR = /([^=;\s]{1,100})=([^;\s]{16,500})/g;

const hasSecretCookie = (cookies: string): boolean =>
  [...cookies.matchAll(PAIR)].some(([, name = '', value = '']) => !/^_ga|expires/i.test(name) && isKeyText(value));

function isBasicLogin(value: string): boolean {
  const [user, password] = Buffer.from(value, 'base64').toString('latin1').split(':', 2);
  return Boolean(user && password && /^[\x20-\x7e]+$/.test(user + password) && !/^(?:password|pass)$/i.test(password));
}

/** Names that say that a secret follows, and what follows them. */
export const ASSIGNMENTS: readonly CredentialPattern[] = [
  {
    kind: 'password',
    certainty: 'likely',
    pattern: new RegExp(`(?:passw(?:or)?d|passphrase|passcode|pwd|(?<=_)pass)(?:[_-]?value)?${GIVEN}${VALUE}`, 'gi'),
    isReal: (found) => !isCode(found) && isPassword(found.secret),
  },
  {
    kind: 'secret',
    certainty: 'likely',
    pattern: new RegExp(
      `(?:secret|token|(?:api|access|auth|account|private|signing|encryption|master|service|role|app|application)[_. -]?key|credentials?)(?:[_-]?(?:key|value|base|access[_-]?key|key[_-]?base))?${GIVEN}${VALUE}`,
      'gi',
    ),
    isReal: (found) => !isCode(found) && !opensNothing(found) && isKeyText(found.secret),
  },
  {
    kind: 'secret',
    certainty: 'likely',
    literals: ['--'],
    pattern: /--(?:password|pass|token|secret|api-key|auth-token|access-token|client-secret)[ =]["']?([^\s"'$<>(){}]{6,200})/g,
    isReal: ({ secret }) => isPassword(secret),
  },
  {
    kind: 'Authorization header',
    certainty: 'likely',
    pattern:
      /authorization["'\\]{0,3}\s{0,3}[:=]\s{0,3}[\\"']{0,2}(?:bearer|token|apikey|api-key|key|splunk|genie\w{0,3})\s{1,3}([A-Za-z0-9._~+/=:-]{10,2000})/gi,
    isReal: ({ secret }) => isKeyText(secret),
  },
  {
    kind: 'Authorization header',
    certainty: 'likely',
    pattern: /\bbasic\s{1,3}([A-Za-z0-9+/]{8,500}={0,2})/gi,
    isReal: ({ secret }) => isBasicLogin(secret),
  },
  {
    kind: 'bearer token',
    certainty: 'likely',
    pattern: /\bbearer\s{1,3}([A-Za-z0-9._~+/=-]{16,2000})/gi,
    isReal: ({ secret }) => isKeyText(secret),
  },
  {
    kind: 'cookie',
    certainty: 'likely',
    pattern: /\bcookie["'\\]{0,3}\s{0,3}[:=]\s{0,3}[\\"']{0,2}([^\r\n"'\\]{16,2000})/gi,
    isReal: ({ secret }) => hasSecretCookie(secret),
  },
];
