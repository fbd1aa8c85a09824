import { fail } from '@parley/core';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/**
 * The public keys of issuers, read over HTTP. The states of an issuer:
 *
 * | State    | Entered when                        | A token with a known key | A token with an unknown key            |
 * |----------|-------------------------------------|--------------------------|----------------------------------------|
 * | unread   | At the start                        | The keys are read        | The keys are read                      |
 * | read     | The keys were read                  | It is verified           | It is refused for a minute; then the   |
 * |          |                                     |                          | keys are read again                    |
 * | aged     | 10 minutes after the keys were read | The keys are read again  | The keys are read again                |
 * | failed   | A read has failed                   | ISSUER_UNAVAILABLE for 5 s; then the keys are read                |
 *
 * Cannot happen: two reads of an issuer at the same time, and a request to an address that neither the service nor its operator names.
 */

const TIMEOUT_MS = 10_000;
const FRESH_MS = 600_000;
const RELOAD_MS = 60_000;
const RETRY_MS = 5_000;
const MAX_BYTES = 1_000_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

interface Read {
  readonly atMs: number;
  /** Undefined if the read has failed. */
  readonly keys: ReturnType<typeof createLocalJWKSet> | undefined;
}

/** Returns the key of a token of an issuer. Rejects with ParleyError ISSUER_UNAVAILABLE, or with an error of jose. */
export type KeyOf = (issuer: string) => JWTVerifyGetKey;

/** @param now returns the current time in milliseconds */
export function createIssuerKeys(now: () => number): KeyOf {
  const last = new Map<string, Read>();
  const pending = new Map<string, Promise<Read>>();

  const read = (issuer: string): Promise<Read> => {
    const reading =
      pending.get(issuer) ??
      readKeys(issuer)
        .then(createLocalJWKSet, () => undefined)
        .then((keys) => {
          const done = { atMs: now(), keys };
          last.set(issuer, done);
          pending.delete(issuer);
          return done;
        });
    pending.set(issuer, reading);
    return reading;
  };
  const isOlder = ({ atMs }: Read, ms: number): boolean => now() - atMs >= ms;
  const current = (issuer: string): Read | Promise<Read> => {
    const known = last.get(issuer);
    return known && !isOlder(known, known.keys ? FRESH_MS : RETRY_MS) ? known : read(issuer);
  };

  return (issuer) => async (header, token) => {
    const keysOf = ({ keys }: Read) => keys ?? unavailable(issuer);
    const used = await current(issuer);
    try {
      return await keysOf(used)(header, token);
    } catch (error) {
      const isLast = last.get(issuer) === used;
      if (!(error instanceof errors.JWKSNoMatchingKey) || (isLast && !isOlder(used, RELOAD_MS))) throw error;
      return await keysOf(await (isLast ? read(issuer) : current(issuer)))(header, token);
    }
  };
}

const unavailable = (issuer: string): never =>
  fail('ISSUER_UNAVAILABLE', `The issuer ${issuer} gave no valid answer, so no token of it can be verified now.`, {
    retry_after_seconds: RETRY_MS / 1_000,
  });

/** Reads the keys of an issuer, from the address in its configuration, which must be at the issuer itself. */
async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const metadata = Metadata.parse(await readJson(`${issuer}/.well-known/openid-configuration`));
  if (metadata.issuer !== issuer || new URL(metadata.jwks_uri).origin !== new URL(issuer).origin)
    throw new Error('The configuration is of another issuer.');
  return Keys.parse(await readJson(metadata.jwks_uri));
}

/** Redirects are not followed, and answers above `MAX_BYTES` are not read to their end. */
async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200 || !response.body) throw new Error(`Answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
