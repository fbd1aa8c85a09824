import type { Context } from 'koa';
import { createCookieJar } from './cookie.ts';
import { cookiesIn, createCookieWriter } from './cookie-header.ts';

const COOKIE_NAME = 'parley_owner';
const PAGE_KEY_HEADER = 'Parley-Page-Key';
const SCOPE = { sameSite: 'strict', path: '/owner' } as const;

/** A sign-in that has just begun. */
interface Opened {
  readonly expiresAt: Date;
  /** The page key. The page stores it for its own origin and sends it with every request. */
  readonly pageKey: string;
}

/**
 * The owner's sign-in in a browser. A sign-in consists of a cookie and a page key. A browser sends the cookie to every port of
 * its host, so other servers on the same machine can receive the cookie. Therefore a request also needs the page key, which only
 * pages of this origin can read.
 */
export interface CookieSession {
  /**
   * Finds the sign-in of a request. If the request is signed in, returns the id of the person (undefined: the first key) and a
   * function that returns a signal; the signal aborts when the sign-in ends. Otherwise returns why the request is not signed in.
   */
  find(
    ctx: Context,
  ): { readonly fault: string } | { readonly personId: string | undefined; readonly ended: () => AbortSignal };
  /** Ends the browser's current sign-in, then begins a new sign-in for this person. */
  open(ctx: Context, personId: string | undefined): Opened;
  /**
   * Ends the sign-in of a request. Returns the id of the signed-in person. Undefined for the first key, and for a request without
   * a sign-in.
   */
  close(ctx: Context): string | undefined;
}

/** The secret that signs the cookie, and the address that browsers use. */
export interface CookieSessionOptions {
  readonly secret: Uint8Array;
  readonly publicUrl?: string | undefined;
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
}

export function createCookieSession({ secret, publicUrl, now }: CookieSessionOptions): CookieSession {
  const jar = createCookieJar(secret, now);
  const writeCookie = createCookieWriter(publicUrl);
  const write = (ctx: Context, value: string, expires: Date): void =>
    writeCookie(ctx, { ...SCOPE, name: COOKIE_NAME, value, expires });
  const isFromPage = (ctx: Context): boolean => jar.isPageOf(sent(ctx), ctx.get(PAGE_KEY_HEADER));
  // The value of our cookie. A request can contain several cookies with its name: another server on this host can set a cookie
  // for a longer path, and browsers send that cookie first. If several values are valid, the value that belongs to the page key
  // is used.
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
    open(ctx, personId) {
      const earlier = jar.read(sent(ctx));
      if (earlier) jar.end(earlier);
      const { value, pageKey, expiresAt } = jar.issue(personId);
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
