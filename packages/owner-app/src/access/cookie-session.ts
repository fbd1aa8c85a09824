import type { Context } from 'koa';
import { createCookieJar } from './cookie.ts';

const COOKIE_NAME = 'parley_owner';
const SCOPE = { httpOnly: true, sameSite: 'strict', path: '/owner', overwrite: true } as const;

/** The owner's sign-in in a browser, kept in a cookie that only this server's owner paths see. */
export interface CookieSession {
  isOpen(ctx: Context): boolean;
  /** Ends what the browser brought along, then begins anew. */
  open(ctx: Context): { readonly expiresAt: Date };
  close(ctx: Context): void;
}

/** What signs the cookie, and where browsers meet it. */
export interface CookieSessionOptions {
  readonly secret: Uint8Array;
  readonly publicUrl?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createCookieSession({ secret, publicUrl, now }: CookieSessionOptions): CookieSession {
  const jar = createCookieJar(secret, now);
  const isHttps = publicUrl?.startsWith('https:') === true;

  // A browser talks TLS to the proxy in front, so the public address decides, not this connection.
  const write = (ctx: Context, value: string, expires: Date): void => {
    const secure = isHttps || ctx.secure;
    ctx.cookies.secure = secure;
    ctx.cookies.set(COOKIE_NAME, value, { ...SCOPE, expires, secure });
  };
  const endSent = (ctx: Context): void => jar.end(ctx.cookies.get(COOKIE_NAME) ?? '');

  return {
    isOpen: (ctx) => jar.holds(ctx.cookies.get(COOKIE_NAME) ?? ''),
    open(ctx) {
      endSent(ctx);
      const { value, expiresAt } = jar.issue();
      write(ctx, value, expiresAt);
      return { expiresAt };
    },
    close(ctx) {
      endSent(ctx);
      write(ctx, '', new Date(0));
    },
  };
}
