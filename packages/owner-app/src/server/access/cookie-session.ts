import type { Context } from 'koa';
import { createCookieJar } from './cookie.ts';

const COOKIE_NAME = 'parley_owner';
const PAGE_KEY_HEADER = 'Parley-Page-Key';
const SCOPE = { httpOnly: true, sameSite: 'strict', path: '/owner', overwrite: true } as const;

/** A new sign-in. */
interface Opened {
  readonly expiresAt: Date;
  /** The page key. The page stores it for its own origin and sends it with every request. */
  readonly pageKey: string;
}

/**
 * The owner's sign-in in a browser. It has two halves, a cookie and a page key. A browser sends a cookie to every port of its
 * host, so other servers there get it too. The cookie alone gives no access: a request also needs the page key, which only
 * pages of this origin can read.
 */
export interface CookieSession {
  /**
   * For a signed-in request, a function that returns a signal, which aborts when the sign-in ends. For any other request, the
   * reason why it is not signed in.
   */
  find(ctx: Context): { readonly fault: string } | { readonly ended: () => AbortSignal };
  /** Ends the current sign-in of the browser, then begins a new one. */
  open(ctx: Context): Opened;
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

  // Sets the cookie. Behind a proxy the browser's connection can be TLS although this one is not, so a public https address
  // makes the cookie secure.
  const write = (ctx: Context, value: string, expires: Date): void => {
    const secure = isHttps || ctx.secure;
    ctx.cookies.secure = secure;
    ctx.cookies.set(COOKIE_NAME, value, { ...SCOPE, expires, secure });
  };
  const isFromPage = (ctx: Context): boolean => jar.isPageOf(sent(ctx), ctx.get(PAGE_KEY_HEADER));
  // The value of our cookie. A request can have several cookies of its name, because another server on this host can set one
  // for a longer path, which browsers send first. If there are several valid ones, takes the one to which the page key belongs.
  const sent = (ctx: Context): string => {
    const ours = cookiesIn(ctx.get('Cookie')).filter((value) => jar.read(value));
    return ours.find((value) => jar.isPageOf(value, ctx.get(PAGE_KEY_HEADER))) ?? ours[0] ?? '';
  };

  return {
    find(ctx) {
      const signIn = jar.read(sent(ctx));
      if (!signIn) return { fault: 'The request has no owner key, and no sign-in that is still valid.' };
      if (!isFromPage(ctx))
        return {
          fault: `The sign-in cookie needs its page_key in the header ${PAGE_KEY_HEADER}.`,
        };
      return { ended: () => jar.ended(signIn) };
    },
    open(ctx) {
      const earlier = jar.read(sent(ctx));
      if (earlier) jar.end(earlier);
      const { value, pageKey, expiresAt } = jar.issue();
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
