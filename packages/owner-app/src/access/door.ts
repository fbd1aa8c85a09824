import { fail } from '@parley/core';
import type { Context } from 'koa';
import { createAttempts } from './attempts.ts';
import { COOKIE_NAME, createCookieJar } from './cookie.ts';
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

export function createDoor({ ownerKey, ownerId, addressOf, publicUrl, now }: DoorOptions): Door {
  const attempts = createAttempts(WRONG_KEYS_PER_MINUTE, now);
  const jar = createCookieJar(ownerKey.cookieSecret, now);
  const cookie = { httpOnly: true, sameSite: 'strict', path: '/owner', overwrite: true } as const;
  const isSecure = (ctx: Context) => ctx.secure || publicUrl?.startsWith('https:') === true;

  const admitKey = async (ctx: Context, text: string): Promise<void> => {
    if (ownerKey.check.known(text)) return;
    const address = addressOf(ctx);
    attempts.begin(address);
    if (!(OWNER_KEY_FORM.test(text) && (await ownerKey.check.verify(text)))) refuse('This is not the owner key.');
    attempts.forgive(address);
  };

  return {
    async authenticate(ctx) {
      const headers = ctx.req.headersDistinct.authorization;
      if (headers) {
        await admitKey(ctx, bearerOf(headers));
        return ownerId;
      }
      const value = ctx.cookies.get(COOKIE_NAME);
      if (value === undefined || !jar.holds(value)) return refuse('The owner key is missing, or the sign-in is over.');
      demandSameSite(ctx, publicUrl);
      return ownerId;
    },
    async signIn(ctx, key) {
      await admitKey(ctx, typeof key === 'string' ? key : '');
      endCookie(ctx);
      const { value, expiresAt } = jar.issue();
      setCookie(ctx, value, expiresAt);
      return { expires_at: expiresAt.toISOString() };
    },
    signOut(ctx) {
      endCookie(ctx);
      setCookie(ctx, '', new Date(0));
    },
  };

  function endCookie(ctx: Context): void {
    const value = ctx.cookies.get(COOKIE_NAME);
    if (value) jar.end(value);
  }

  // The browser talks TLS to the proxy, so `secure` follows the public address, not this connection.
  function setCookie(ctx: Context, value: string, expires: Date): void {
    ctx.cookies.secure = isSecure(ctx);
    ctx.cookies.set(COOKIE_NAME, value, { ...cookie, expires, secure: isSecure(ctx) });
  }
}

function bearerOf(headers: readonly string[]): string {
  const [, text] = headers.length === 1 ? (/^Bearer (\S+)$/.exec(headers[0] ?? '') ?? []) : [];
  return text ?? refuse('The Authorization header is not "Bearer pok_...".');
}

const refuse = (message: string): never => fail('UNAUTHORIZED', message);
