import { fail } from '@parley/core';
import type { Context } from 'koa';
import { createCookieSession } from './cookie-session.ts';
import type { OwnerKey } from './key-folder.ts';
import { OWNER_KEY_FORM } from './owner-key.ts';
import { createWrongKeyLimit } from './wrong-key-limit.ts';

const WRONG_KEYS_PER_MINUTE = 10;

/** The authenticated sender of a request. */
interface SignedIn {
  readonly ownerId: string;
  /** Returns a signal. When it aborts, answers that take long, such as a stream of events, end. */
  readonly ended?: () => AbortSignal;
}

/** Returns the owner who sends a request: the owner's id, or an object with it. Rejects with `ParleyError` UNAUTHORIZED. */
export type Authenticate = (ctx: Context) => string | SignedIn | Promise<string | SignedIn>;

/** Authentication for a service that has a single owner with one key. */
export interface OwnerAuthentication {
  /** Accepts a request with the owner key as Bearer token, or with the cookie and the page key of a sign-in. */
  readonly authenticate: Authenticate;
  /**
   * Signs in: checks the key, sets a cookie and returns a page key. Later requests send the page key in the header
   * Parley-Page-Key.
   *
   * @throws ParleyError UNAUTHORIZED, RATE_LIMITED
   */
  signIn(ctx: Context, key: unknown): Promise<{ readonly expires_at: string; readonly page_key: string }>;
  signOut(ctx: Context): void;
}

/** Parts of the authentication of a single owner. */
export interface OwnerAuthenticationOptions {
  readonly ownerKey: OwnerKey;
  /** Id of the owner to whom the key belongs. */
  readonly ownerId: string;
  /** Returns the client address of a request, with trusted proxies resolved. */
  readonly addressOf: (ctx: Context) => string;
  readonly publicUrl?: string | undefined;
  /** Returns the current time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Builds the authentication of a single owner: the owner key as Bearer token, sign-in in a browser, and a limit for wrong keys.
 *
 * Pass its member `authenticate` to `createOwnerRouter`.
 */
export function createOwnerAuthentication({
  ownerKey,
  ownerId,
  addressOf,
  publicUrl,
  now,
}: OwnerAuthenticationOptions): OwnerAuthentication {
  const admit = createKeyCheck(ownerKey, now);
  const session = createCookieSession({ secret: ownerKey.cookieSecret, publicUrl, now });
  return {
    async authenticate(ctx) {
      const headers = ctx.req.headersDistinct.authorization;
      if (headers) {
        await admit(addressOf(ctx), bearerOf(headers));
        return ownerId;
      }
      const found = session.find(ctx);
      return 'fault' in found ? refuse(found.fault) : { ownerId, ended: found.ended };
    },
    async signIn(ctx, key) {
      await admit(addressOf(ctx), typeof key === 'string' ? key : '');
      const { expiresAt, pageKey } = session.open(ctx);
      return { expires_at: expiresAt.toISOString(), page_key: pageKey };
    },
    signOut: session.close,
  };
}

/**
 * Returns a function that accepts the owner key and refuses any other text. A generated key cannot be guessed, so each text is
 * checked, even if its address has sent many wrong ones. A key that a person chose could be guessed, so texts of an address
 * over the limit are refused without a check.
 */
function createKeyCheck({ check }: OwnerKey, now: () => number): (address: string, text: string) => Promise<void> {
  const wrongKeys = createWrongKeyLimit(WRONG_KEYS_PER_MINUTE, now);
  return async (address, text) => {
    if (!OWNER_KEY_FORM.test(text)) refuseKey();
    if (check.isGenerated && check.known(text)) return;
    wrongKeys.begin(address);
    if (!(check.known(text) ?? (await check.verify(text)))) refuseKey();
    wrongKeys.forgive(address);
  };
}

const refuseKey = (): never => refuse('The owner key is wrong.');

function bearerOf(headers: readonly string[]): string {
  const [, text] = headers.length === 1 ? (/^Bearer (\S+)$/.exec(headers[0] ?? '') ?? []) : [];
  return text ?? refuse('The Authorization header must have the form "Bearer pok_...".');
}

const refuse = (message: string): never => fail('UNAUTHORIZED', message);
