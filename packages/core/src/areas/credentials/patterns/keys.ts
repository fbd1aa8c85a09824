import { type CredentialPattern, type Found, token } from '../pattern.ts';
import { looksRandom } from '../placeholders.ts';

const LOOK_CHARS = 120;
/** The characters between two lines of a key that is part of a log, a diff, a JSON text or source code. */
const BETWEEN_LINES = /(?:\\+[nrt]|\n[+-]|[\s"'`,>|\\])+/g;
const BODY_BEGINS = /^(?:\\+[nrt]|\n[+-]|[\s"'`,>|\\]){0,12}[A-Za-z0-9+/]{4}/;
const KEY_HEADER = /^(?:Proc-Type|Version|Comment|Charset|Hash):/;

/** The Base64 text after the header of a key, without its line breaks. */
const bodyAfter = ({ text, end }: Found): string => text.slice(end, end + LOOK_CHARS).replace(BETWEEN_LINES, '');

const LEAST_BODY_CHARS = 12;

function hasBody(found: Found): boolean {
  if (!BODY_BEGINS.test(found.text.slice(found.end, found.end + 24))) return false;
  const body = bodyAfter(found);
  if (KEY_HEADER.test(body)) return true;
  const base64 = /^[A-Za-z0-9+/=]{0,120}/.exec(body)?.[0] ?? '';
  return base64.length >= LEAST_BODY_CHARS && looksRandom(base64);
}

/** Private keys, and tokens that are signed with private keys. */
export const KEYS: readonly CredentialPattern[] = [
  {
    kind: 'private key',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['-----BEGIN ', '---- BEGIN SSH2 ENCRYPTED'],
    at: 'anywhere',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/y,
    isReal: hasBody,
  },
  {
    kind: 'PuTTY private key',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['Private-Lines:'],
    at: 'anywhere',
    pattern: /Private-Lines: \d{1,3}/y,
    isReal: hasBody,
  },
  {
    kind: 'private JSON Web Key',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['"d"', '"d\\'],
    at: 'anywhere',
    pattern: /"d\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9_-]{40,700})/y,
    isReal: ({ secret }) => looksRandom(secret),
  },
  token('age key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  {
    kind: 'JSON Web Token',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['eyJ'],
    at: 'word',
    pattern: /(?<![_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{10,1000}/y,
  },
  {
    kind: 'encrypted JSON Web Token',
    certainty: 'certain',
    samples: 'placeholders',
    starts: ['eyJ'],
    at: 'word',
    pattern:
      /(?<![_.-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,700}\.[A-Za-z0-9_-]{12,32}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{16,64}/y,
  },
];
