import type { Context } from 'koa';
import { createCookieJar } from './cookie.ts';
import { cookiesIn, createCookieWriter } from './cookie-header.ts';

const COOKIE_NAME = 'parley_owner';
const PAGE_KEY_HEADER = 'Parley-Page-Key';
const SCOPE = { sameSite: 'strict', path: '/owner' } as const;

interface Opened {
  readonly expiresAt: Date;
  /** The page stores this key for its own origin and sends the key with every request. */
  readonly pageKey: string;
}

/**
 * A sign-in in a browser: a cookie and a page key. A browser sends the cookie to every port of its host, so other
 * servers on this machine can receive the cookie. Only pages of this origin can read the page key.
 */
export interface CookieSession {
  /**
   * Finds the sign-in of a request, or returns why the request has no sign-in. `personId` is undefined for the holder
   * of the owner key. `ended` returns a signal that aborts when the sign-in ends.
   */
  find(
    ctx: Context,
  ): { readonly fault: string } | { readonly personId: string | undefined; readonly ended: () => AbortSignal };
  /**
   * Ends the browser's current sign-in, then begins a sign-in of a person. `personId` is undefined for the holder of
   * the owner key.
   *
   * @param id the id of the sign-in. Default: a random one
   * @returns undefined if a sign-in with this id has begun or ended at this process
   */
  open(ctx: Context, personId: string | undefined, id?: string): Opened | undefined;
  /**
   * Ends the sign-in of a request. Returns the id of the person, or undefined if the holder of the owner key or nobody
   * was signed in.
   */
  close(ctx: Context): string | undefined;
}

export interface CookieSessionOptions {
  readonly secret: Uint8Array;
  readonly publicUrl?: string | undefined;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
}

export function createCookieSession({ secret, publicUrl, now }: CookieSessionOptions): CookieSession {
  const jar = createCookieJar(secret, now);
  const writeCookie = createCookieWriter(publicUrl);
  const write = (ctx: Context, value: string, expires: Date): void =>
    writeCookie(ctx, { ...SCOPE, name: COOKIE_NAME, value, expires });
  const isFromPage = (ctx: Context): boolean => jar.isPageOf(sent(ctx), ctx.get(PAGE_KEY_HEADER));
  // Returns the value of this service's cookie. Another server on this host can set a cookie with the same name, and
  // the browser may send that cookie first. If several values are valid, the value that belongs to the page key is
  // used.
  const sent = (ctx: Context): string => {
    const ours = cookiesIn(ctx.get('Cookie'), COOKIE_NAME).filter((value) => jar.read(value));
    return ours.find((value) => jar.isPageOf(value, ctx.get(PAGE_KEY_HEADER))) ?? ours[0] ?? '';
  };

  return {
    find(ctx) {
      const signIn = jar.read(sent(ctx));
      if (!signIn) return { fault: 'The request has neither the owner key nor a valid sign-in.' };
      if (!isFromPage(ctx))
        return {
          fault: `The request has a sign-in cookie, but not the page_key that belongs to it. Send the page_key in the header ${PAGE_KEY_HEADER}.`,
        };
      return { personId: signIn.personId, ended: () => jar.ended(signIn) };
    },
    open(ctx, personId, id) {
      const issued = jar.issue(personId, id);
      if (!issued) return undefined;
      const earlier = jar.read(sent(ctx));
      if (earlier) jar.end(earlier);
      const { value, pageKey, expiresAt } = issued;
      write(ctx, value, expiresAt);
      return { pageKey, expiresAt };
    },
    close(ctx) {
      const signIn = jar.read(sent(ctx));
      write(ctx, '', new Date(0));
      if (!signIn || !isFromPage(ctx)) return undefined;
      jar.end(signIn);
      return signIn.personId;
    },
  };
}
