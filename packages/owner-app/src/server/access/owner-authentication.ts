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
  /** Signal that ends long answers, such as a stream of events, when it aborts. */
  readonly ended?: () => AbortSignal;
}

/** Returns the owner who sends a request, or rejects with `ParleyError` UNAUTHORIZED. A string is the owner's id. */
export type Authenticate = (ctx: Context) => string | SignedIn | Promise<string | SignedIn>;

/** Authentication for a single owner with one key. */
export interface OwnerAuthentication {
  /** Accepts a Bearer key, or a sign-in: its cookie together with its page key. */
  readonly authenticate: Authenticate;
  /**
   * Exchanges the key for a cookie and a page key, which is sent as the header Parley-Page-Key.
   * @throws ParleyError UNAUTHORIZED, RATE_LIMITED
   */
  signIn(ctx: Context, key: unknown): Promise<{ readonly expires_at: string; readonly page_key: string }>;
  signOut(ctx: Context): void;
}

/** Parts of the authentication of a single owner. */
export interface OwnerAuthenticationOptions {
  readonly ownerKey: OwnerKey;
  /** Id of the owner who has the key. */
  readonly ownerId: string;
  /** The client address, trusted proxies resolved. */
  readonly addressOf: (ctx: Context) => string;
  readonly publicUrl?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Builds the authentication of a single owner: Bearer key, sign-in of a browser, limit for wrong keys.
 * Give its `authenticate` to `createOwnerRouter`.
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
 * Accepts the owner key. If the key was generated, every text is checked, whatever others at its address have tried. If
 * a person chose the key, it can be guessed, so texts from an address over the limit are not checked.
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
