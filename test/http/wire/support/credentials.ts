import type { Joined } from '../../../support/join-session.ts';
import { type Cast, heldBy } from './cast.ts';
import type { Kind } from './specification.ts';

/** Malformed Authorization headers. Most contain a valid token. */
export const HEADERS: Readonly<Record<string, (token: string) => readonly string[]>> = {
  'no header': () => [],
  'an empty header': () => [''],
  'the scheme alone': () => ['Bearer'],
  'no scheme': (token) => [token],
  Basic: (token) => [`Basic ${token}`],
  'Basic as browsers send it': (token) => [`Basic ${btoa(`agent:${token}`)}`],
  'lower-case bearer': (token) => [`bearer ${token}`],
  'upper-case BEARER': (token) => [`BEARER ${token}`],
  'two spaces': (token) => [`Bearer  ${token}`],
  'a tab': (token) => [`Bearer\t${token}`],
  'no space': (token) => [`Bearer${token}`],
  'a colon': (token) => [`Bearer: ${token}`],
  'two headers': (token) => [`Bearer ${token}`, `Bearer ${token}`],
  'a good header behind a bad one': (token) => ['Basic x', `Bearer ${token}`],
  'two values in one header': (token) => [`Bearer ${token}, Bearer ${token}`],
  'a comma behind the token': (token) => [`Bearer ${token},`],
  'the token in quotes': (token) => [`Bearer "${token}"`],
  'the token in upper case': (token) => [`Bearer ${token.toUpperCase()}`],
  'the prefix of a code': (token) => [`Bearer ${token.replace('prt_', 'pinv_')}`],
  'a letter beyond ASCII': (token) => [`Bearer ${token}é`],
  'the token and 201 characters': (token) => [`Bearer ${token.padEnd(201, 'x')}`],
  'the token and 200 characters': (token) => [`Bearer ${token.padEnd(200, 'x')}`],
};

/** Malformed path segments in place of the token. */
export const SEGMENTS: Readonly<Record<string, (token: string) => string>> = {
  'a segment of prt_ alone': () => 'prt_',
  'a segment of prt_ and 15 characters': () => 'prt_123456789012345',
  'a segment of prt_ and 16 characters': () => 'prt_1234567890123456',
  'a segment of prt_ and 200 characters': (token) => token.padEnd(204, 'x'),
  'a segment of prt_ and 201 characters': (token) => token.padEnd(205, 'x'),
  'a segment with a dot': (token) => `${token}.`,
  'a percent-encoded segment': (token) => token.replace('_', '%5F'),
  'a segment with a bad escape': (token) => `${token}%zz`,
  'a segment with a parameter': (token) => `${token};a=b`,
  'a slash behind the segment': (token) => `${token}/`,
  'a segment before the token': (token) => `mcp/${token}`,
  'a segment behind the token': (token) => `${token}/tools`,
  'a segment in upper case': (token) => token.toUpperCase(),
  'a segment with the scheme': (token) => `Bearer%20${token}`,
  'a segment that is a word': () => 'sse',
};

/** Maps each invalid token to the expected code, the token, and the session in the path. */
export const TOKENS: Readonly<
  Record<string, readonly [code: string, hold: (cast: Cast, kind: Kind) => readonly [string, Joined]]>
> = {
  'a token of 200 characters': ['UNAUTHORIZED', ({ current }) => [`prt_${'x'.repeat(196)}`, current]],
  'an unknown token of the right form': [
    'UNAUTHORIZED',
    ({ current }) => [`prt_${'A'.repeat(43)}${current.sessionId}${'A'.repeat(6)}`, current],
  ],
  'a token with a forged checksum': [
    'UNAUTHORIZED',
    ({ current }, kind) => [withOtherEnd(heldBy(kind, current)), current],
  ],
  'a token with another secret': [
    'UNAUTHORIZED',
    ({ current }, kind) => [withOtherSecret(heldBy(kind, current)), current],
  ],
  'a token cut by its last character': [
    'UNAUTHORIZED',
    ({ current }, kind) => [heldBy(kind, current).slice(0, -1), current],
  ],
  'a token of another installation': ['UNAUTHORIZED', ({ current, foreign }, kind) => [heldBy(kind, foreign), current]],
  'a token of a deleted session': ['UNAUTHORIZED', ({ deleted }, kind) => [heldBy(kind, deleted), deleted]],
  'a revoked token': ['TOKEN_REVOKED', ({ revoked }, kind) => [heldBy(kind, revoked), revoked]],
  'a token replaced by a newer one': ['TOKEN_REVOKED', ({ replaced }, kind) => [heldBy(kind, replaced), replaced]],
  'an expired token': ['TOKEN_EXPIRED', ({ expired }, kind) => [heldBy(kind, expired), expired]],
  'a token revoked before it expired': [
    'TOKEN_REVOKED',
    ({ revokedAndExpired }, kind) => [heldBy(kind, revokedAndExpired), revokedAndExpired],
  ],
  'a revoked token where the moderator is stopped': [
    'TOKEN_REVOKED',
    ({ revokedAndStopped }, kind) => [heldBy(kind, revokedAndStopped), revokedAndStopped],
  ],
  'an expired token where the moderator is stopped': [
    'TOKEN_EXPIRED',
    ({ expiredAndStopped }, kind) => [heldBy(kind, expiredAndStopped), expiredAndStopped],
  ],
};

const withOtherEnd = (token: string): string => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
const withOtherSecret = (token: string): string => `prt_${token[4] === '0' ? '1' : '0'}${token.slice(5)}`;
