import type { Context } from 'koa';
import { createCookieJar } from './cookie.ts';

const COOKIE_NAME = 'parley_owner';
const PAGE_KEY_HEADER = 'Parley-Page-Key';
const SCOPE = { httpOnly: true, sameSite: 'strict', path: '/owner', overwrite: true } as const;

/** A sign-in that has just begun. */
interface Opened {
  readonly expiresAt: Date;
  /** The page key. The page stores it for its own origin and sends it with every request. */
  readonly pageKey: string;
}

/**
 * The owner's sign-in in a browser. It consists of a cookie and a page key. A browser sends the cookie to every port of its
 * host, so other servers on the same machine can get it. A request therefore also needs the page key, which only pages of
 * this origin can read.
 */
export interface CookieSession {
  /**
   * Finds the sign-in of a request. If the request is signed in, returns the id of the person (undefined: the first key) and a
   * function that returns a signal; the signal aborts when the sign-in ends. Otherwise returns why the request is not signed in.
   */
  find(
    ctx: Context,
  ): { readonly fault: string } | { readonly personId: string | undefined; readonly ended: () => AbortSignal };
  /** Ends the present sign-in of the browser, then begins a new one, of this person. */
  open(ctx: Context, personId: string | undefined): Opened;
  close(ctx: Context): void;
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
  const isHttps = publicUrl?.startsWith('https:') === true;

  // Sets the cookie. A public https address makes the cookie secure even if this connection is not TLS, because a proxy may
  // end the browser's TLS.
  const write = (ctx: Context, value: string, expires: Date): void => {
    const secure = isHttps || ctx.secure;
    ctx.cookies.secure = secure;
    ctx.cookies.set(COOKIE_NAME, value, { ...SCOPE, expires, secure });
  };
  const isFromPage = (ctx: Context): boolean => jar.isPageOf(sent(ctx), ctx.get(PAGE_KEY_HEADER));
  // The value of our cookie. A request can contain several cookies with its name: another server on this host can set one
  // for a longer path, and browsers send that one first. If several of them are valid, the one that belongs to the page key
  // is used.
  const sent = (ctx: Context): string => {
    const ours = cookiesIn(ctx.get('Cookie')).filter((value) => jar.read(value));
    return ours.find((value) => jar.isPageOf(value, ctx.get(PAGE_KEY_HEADER))) ?? ours[0] ?? '';
  };

  return {
    find(ctx) {
      const signIn = jar.read(sent(ctx));
      if (!signIn) return { fault: 'The request has neither the owner key nor a valid sign-in.' };
      if (!isFromPage(ctx))
        return {
          fault: `The request has a sign-in cookie, but not the page_key that belongs to it. Send that in the header ${PAGE_KEY_HEADER}.`,
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
      if (signIn && isFromPage(ctx)) jar.end(signIn);
      write(ctx, '', new Date(0));
    },
  };
}

/** The values of all cookies that have our name, in the order in which they were sent. */
const cookiesIn = (header: string): string[] =>
  header.split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2);
    return name === COOKIE_NAME && value !== undefined ? [value] : [];
  });
