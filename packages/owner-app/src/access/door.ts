import { fail } from '@parley/core';
import type { Context } from 'koa';
import { createAttempts } from './attempts.ts';
import { createCookieSession } from './cookie-session.ts';
import { demandSameSite } from './cross-site.ts';
import type { OwnerKey } from './key-folder.ts';
import { OWNER_KEY_FORM } from './owner-key.ts';

const WRONG_KEYS_PER_MINUTE = 10;

/** Says which owner sends a request, or rejects with `ParleyError` UNAUTHORIZED. */
export type Authenticate = (ctx: Context) => string | Promise<string>;

/** The owner's door when there is one owner with one key. */
export interface Door {
  /** By Bearer key, else by the cookie of a sign-in. */
  readonly authenticate: Authenticate;
  /** Exchanges the key for a cookie. @throws ParleyError UNAUTHORIZED, RATE_LIMITED */
  signIn(ctx: Context, key: unknown): Promise<{ readonly expires_at: string }>;
  signOut(ctx: Context): void;
}

/** What the door of a single owner is made of. */
export interface DoorOptions {
  readonly ownerKey: OwnerKey;
  /** The owner that the key stands for. */
  readonly ownerId: string;
  /** The client address, trusted proxies resolved. */
  readonly addressOf: (ctx: Context) => string;
  readonly publicUrl?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Builds the door of a single owner: Bearer key, sign-in cookie, limit for wrong keys, no writes from other sites.
 * Give its `authenticate` to `createOwnerRouter`.
 */
export function createDoor({ ownerKey, ownerId, addressOf, publicUrl, now }: DoorOptions): Door {
  const admit = createKeyGate(ownerKey, now);
  const session = createCookieSession({ secret: ownerKey.cookieSecret, publicUrl, now });
  return {
    async authenticate(ctx) {
      const headers = ctx.req.headersDistinct.authorization;
      if (headers) {
        await admit(addressOf(ctx), bearerOf(headers));
        return ownerId;
      }
      if (!session.isOpen(ctx)) refuse('The owner key is missing, or the sign-in is over.');
      demandSameSite(ctx, publicUrl);
      return ownerId;
    },
    async signIn(ctx, key) {
      await admit(addressOf(ctx), typeof key === 'string' ? key : '');
      return { expires_at: session.open(ctx).expiresAt.toISOString() };
    },
    signOut: session.close,
  };
}

/**
 * Lets a text pass when it is the key. A generated key passes whatever others at its address tried. One that a person
 * thought of may be guessed, so it is not looked at while its address is over the limit.
 */
function createKeyGate({ check }: OwnerKey, now: () => number): (address: string, text: string) => Promise<void> {
  const attempts = createAttempts(WRONG_KEYS_PER_MINUTE, now);
  return async (address, text) => {
    if (!OWNER_KEY_FORM.test(text)) refuseKey();
    if (check.isGenerated && check.known(text)) return;
    attempts.begin(address);
    if (!(check.known(text) ?? (await check.verify(text)))) refuseKey();
    attempts.forgive(address);
  };
}

const refuseKey = (): never => refuse('This is not the owner key.');

function bearerOf(headers: readonly string[]): string {
  const [, text] = headers.length === 1 ? (/^Bearer (\S+)$/.exec(headers[0] ?? '') ?? []) : [];
  return text ?? refuse('The Authorization header is not "Bearer pok_...".');
}

const refuse = (message: string): never => fail('UNAUTHORIZED', message);
