import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { decodeDigest } from './decode-digest.ts';

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

/** Issues, checks and ends sign-ins in browsers. A sign-in is valid in every process with the same secret. */
export interface CookieJar {
  /**
   * Issues a sign-in with a new value, so that nobody can put a known value into the browser before the owner signs in.
   *
   * @param personId undefined for the holder of the owner key
   * @param id the id of the sign-in: 22 characters of base64url. Default: a random one
   * @returns undefined if a sign-in with this id was issued or ended in this process before
   */
  issue(personId: string | undefined, id?: string): Issued | undefined;
  /**
   * Returns the sign-in in the value of a cookie, or undefined if the sign-in is not valid. Does not check the page
   * key.
   */
  read(value: string): SignIn | undefined;
  /** Whether a page key belongs to a cookie's value that `read` has accepted. */
  isPageOf(value: string, pageKey: string): boolean;
  /** Returns a signal that aborts when the sign-in expires or is ended in this process. */
  ended(signIn: SignIn): AbortSignal;
  /**
   * Ends a sign-in before it expires, in this process and until its restart. Other processes still accept the sign-in.
   */
  end(signIn: SignIn): void;
}

/** @param now returns the current time in milliseconds since 1970 */
export function createCookieJar(secret: Uint8Array, now: () => number): CookieJar {
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
    issue(personId, id) {
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
    read(value) {
      const [, text = '', expires = '', id = '', personId, signature = ''] = FORM.exec(value) ?? [];
      const expiresAt = Number.parseInt(expires, 36);
      const isOurs = timingSafeEqual(sign(text), decodeDigest(signature));
      return isOurs && expiresAt > now() && !ended.has(id) ? { id, personId, expiresAt } : undefined;
    },
    isPageOf: (value, pageKey) =>
      timingSafeEqual(pageKeyOf(value.slice(0, value.lastIndexOf('.'))), decodeDigest(pageKey)),
    ended(signIn) {
      const known = watched.get(signIn.id);
      if (known) return known.signal;
      const watch = new AbortController();
      setMaxListeners(0, watch.signal);
      watched.set(signIn.id, watch);
      if (ended.has(signIn.id)) finish(signIn.id);
      else look(signIn);
      return watch.signal;
    },
    end({ id, expiresAt }) {
      keep(ended, id, expiresAt);
      finish(id);
    },
  };
}
