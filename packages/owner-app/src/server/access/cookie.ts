import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Context } from 'koa';
import { decodeDigest } from './key-check.ts';

const LIFETIME_MS = 12 * 60 * 60 * 1000;
/** The form of a cookie's value: expiry, random id, the person's id (absent for the owner key), and signature. */
const FORM = /^(([0-9a-z]{6,12})\.([A-Za-z0-9_-]{22})(?:\.(p_[A-Za-z0-9]{10}))?)\.([A-Za-z0-9_-]{43})$/;
/**
 * Maximum milliseconds between two checks of the clock. A single long timer would fire late, because timers do not run
 * while the machine sleeps.
 */
const LOOK_MS = 60_000;

/** A sign-in that has neither expired nor been ended. */
interface SignIn {
  readonly id: string;
  /** The id of the person who signed in. Undefined for the holder of the owner key. */
  readonly personId: string | undefined;
  /** When the sign-in expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A new sign-in. Later requests must contain both the cookie and the page key. */
interface Issued {
  /** Value of the cookie. A browser sends the cookie to every port of the host. */
  readonly value: string;
  /** A key that no other origin can read. It is computed from the cookie's value and the secret. */
  readonly pageKey: string;
  readonly expiresAt: Date;
}

/**
 * Issues, checks and ends sign-ins in browsers. A sign-in is valid in every process with the same secret.
 *
 * @param now returns the current time in milliseconds since 1970
 */
function createCookieJar(secret: Uint8Array, now: () => number) {
  const ended = new Map<string, number>();
  /** When the sign-ins whose id the caller has chosen expire, by id. */
  const chosen = new Map<string, number>();
  const watched = new Map<string, AbortController>();
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest();
  const pageKeyOf = (text: string) => sign(`page key of ${text}`);

  /** Adds an id to a table, and removes the ids of sign-ins that have expired. */
  const keep = (table: Map<string, number>, id: string, expiresAt: number): void => {
    for (const [past, pastAt] of table) if (pastAt <= now()) table.delete(past);
    table.set(id, expiresAt);
  };
  const finish = (id: string): void => {
    watched.get(id)?.abort();
    watched.delete(id);
  };
  const look = ({ id, expiresAt }: Pick<SignIn, 'id' | 'expiresAt'>): void => {
    const leftMs = expiresAt - now();
    if (leftMs <= 0) finish(id);
    else if (watched.has(id)) setTimeout(look, Math.min(leftMs, LOOK_MS), { id, expiresAt }).unref();
  };

  return {
    /**
     * Issues a sign-in with a new value, so that nobody can put a known value into the browser before the owner signs in.
     *
     * @param personId undefined for the holder of the owner key
     * @param id the id of the sign-in: 22 characters of base64url. Default: a random one
     * @returns undefined if a sign-in with this id was issued or ended in this process before
     */
    issue(personId: string | undefined, id?: string): Issued | undefined {
      const expiresAt = now() + LIFETIME_MS;
      if (id !== undefined) {
        if (chosen.has(id) || ended.has(id)) return undefined;
        keep(chosen, id, expiresAt);
      }
      const parts = [
        expiresAt.toString(36),
        id ?? randomBytes(16).toString('base64url'),
        ...(personId ? [personId] : []),
      ];
      const text = parts.join('.');
      return {
        value: `${text}.${sign(text).toString('base64url')}`,
        pageKey: pageKeyOf(text).toString('base64url'),
        expiresAt: new Date(expiresAt),
      };
    },
    /**
     * Returns the sign-in in the value of a cookie, or undefined if the sign-in is not valid. Does not check the page
     * key.
     */
    read(value: string): SignIn | undefined {
      const [, text = '', expires = '', id = '', personId, signature = ''] = FORM.exec(value) ?? [];
      const expiresAt = Number.parseInt(expires, 36);
      const isOurs = timingSafeEqual(sign(text), decodeDigest(signature));
      return isOurs && expiresAt > now() && !ended.has(id) ? { id, personId, expiresAt } : undefined;
    },
    /** Whether a page key belongs to a cookie's value that `read` has accepted. */
    isPageOf: (value: string, pageKey: string): boolean =>
      timingSafeEqual(pageKeyOf(value.slice(0, value.lastIndexOf('.'))), decodeDigest(pageKey)),
    /** Returns a signal that aborts when the sign-in expires or is ended in this process. */
    ended(signIn: SignIn): AbortSignal {
      const known = watched.get(signIn.id);
      if (known) return known.signal;
      const watch = new AbortController();
      setMaxListeners(0, watch.signal);
      watched.set(signIn.id, watch);
      if (ended.has(signIn.id)) finish(signIn.id);
      else look(signIn);
      return watch.signal;
    },
    /** Ends a sign-in before it expires, in this process and until its restart. Other processes still accept the sign-in. */
    end({ id, expiresAt }: SignIn): void {
      keep(ended, id, expiresAt);
      finish(id);
    },
  };
}

/** A cookie that pages cannot read. */
interface ServerCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly sameSite: 'strict' | 'lax';
  readonly expires: Date;
}

export type CookieWriter = (ctx: Context, cookie: ServerCookie) => void;

/**
 * Creates a function that sets cookies. If the public address is https, cookies are secure even on a connection without
 * TLS, because a proxy may have terminated the TLS connection of the browser.
 */
export function createCookieWriter(publicUrl: string | undefined): CookieWriter {
  const isHttps = publicUrl?.startsWith('https:') === true;
  return (ctx, { name, value, ...scope }) => {
    const secure = isHttps || ctx.secure;
    ctx.cookies.secure = secure;
    ctx.cookies.set(name, value, { ...scope, httpOnly: true, overwrite: true, secure });
  };
}

/** Returns the values of all cookies with the wanted name, in the order of the header. */
export const cookiesIn = (header: string, wanted: string): string[] =>
  header.split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2);
    return name === wanted && value !== undefined ? [value] : [];
  });

const COOKIE_NAME = 'parley_owner';
const PAGE_KEY_HEADER = 'Parley-Page-Key';
const SCOPE = { sameSite: 'strict', path: '/owner' } as const;

interface CookieSessionOptions {
  readonly secret: Uint8Array;
  readonly publicUrl?: string | undefined;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Creates the sign-ins of browsers: a cookie and a page key each. A browser sends the cookie to every port of its host, so other
 * servers on this machine can receive the cookie. Only pages of this origin can read the page key.
 */
export function createCookieSession({ secret, publicUrl, now }: CookieSessionOptions) {
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
    /**
     * Finds the sign-in of a request, or returns why the request has no sign-in. `personId` is undefined for the holder
     * of the owner key. `ended` returns a signal that aborts when the sign-in ends.
     */
    find(
      ctx: Context,
    ): { readonly fault: string } | { readonly personId: string | undefined; readonly ended: () => AbortSignal } {
      const signIn = jar.read(sent(ctx));
      if (!signIn) return { fault: 'The request has neither the owner key nor a valid sign-in.' };
      if (!isFromPage(ctx))
        return {
          fault: `The request has a sign-in cookie, but not the page_key that belongs to it. Send the page_key in the header ${PAGE_KEY_HEADER}.`,
        };
      return { personId: signIn.personId, ended: () => jar.ended(signIn) };
    },
    /**
     * Ends the browser's current sign-in, then begins a sign-in of a person. `personId` is undefined for the holder of
     * the owner key. The page stores the page key for its own origin and sends it with every request.
     *
     * @param id the id of the sign-in. Default: a random one
     * @returns undefined if a sign-in with this id has begun or ended at this process
     */
    open(ctx: Context, personId: string | undefined, id?: string) {
      const issued = jar.issue(personId, id);
      if (!issued) return undefined;
      const earlier = jar.read(sent(ctx));
      if (earlier) jar.end(earlier);
      const { value, pageKey, expiresAt } = issued;
      write(ctx, value, expiresAt);
      return { pageKey, expiresAt };
    },
    /**
     * Ends the sign-in of a request. Returns the id of the person, or undefined if the holder of the owner key or nobody
     * was signed in.
     */
    close(ctx: Context): string | undefined {
      const signIn = jar.read(sent(ctx));
      write(ctx, '', new Date(0));
      if (!signIn || !isFromPage(ctx)) return undefined;
      jar.end(signIn);
      return signIn.personId;
    },
  };
}
