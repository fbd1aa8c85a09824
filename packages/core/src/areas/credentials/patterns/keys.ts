import { type CredentialPattern, type Found, token } from '../pattern.ts';
import { looksRandom } from '../placeholders.ts';

const LOOK_CHARS = 240;
/** What stands between the lines of a key in a log, a diff, a JSON text or source code. */
const BETWEEN_LINES = /(?:\\+[nrt]|[\s"'`,>|\\])+/g;
const KEY_HEADER = /^(?:Proc-Type|Version|Comment|Charset|Hash):/;

/** The Base64 after the first line of a key, put together again from its lines. */
const bodyAfter = ({ text, end }: Found): string => text.slice(end, end + LOOK_CHARS).replace(BETWEEN_LINES, '');

const hasBody = (leastChars: number) => (found: Found): boolean => {
  const body = bodyAfter(found);
  if (KEY_HEADER.test(body)) return true;
  const base64 = /^[A-Za-z0-9+/=]*/.exec(body)?.[0] ?? '';
  return base64.length >= leastChars && looksRandom(base64);
};

const FIRST_LINE =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/g;

/** Keys themselves, and the signed tokens made with them. */
export const KEYS: readonly CredentialPattern[] = [
  { kind: 'private key', certainty: 'certain', literals: ['PRIVATE KEY'], pattern: FIRST_LINE, isReal: hasBody(40) },
  { kind: 'private key', certainty: 'likely', literals: ['PRIVATE KEY'], pattern: FIRST_LINE, isReal: hasBody(12) },
  {
    kind: 'PuTTY private key',
    certainty: 'certain',
    literals: ['Private-Lines:'],
    pattern: /Private-Lines: \d{1,3}/g,
    isReal: hasBody(40),
  },
  {
    kind: 'private JSON Web Key',
    certainty: 'likely',
    literals: ['kty'],
    pattern: /\\?"d\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9_-]{40,700})/g,
    isReal: ({ secret }) => looksRandom(secret),
  },
  token('age key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  {
    kind: 'JSON Web Token',
    certainty: 'likely',
    literals: ['.eyJ'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{10,1000}/g,
  },
  {
    kind: 'encrypted JSON Web Token',
    certainty: 'likely',
    literals: ['eyJ'],
    pattern:
      /(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,700}\.[A-Za-z0-9_-]{12,32}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{16,64}/g,
  },
];
