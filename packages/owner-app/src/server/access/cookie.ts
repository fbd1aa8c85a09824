import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';

const LIFETIME_MS = 12 * 60 * 60 * 1000;
const FORM = /^([0-9a-z]{6,12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
/**
 * Milliseconds between checks of the clock. One long timer would expire late, because timers stand still while a
 * machine sleeps.
 */
const LOOK_MS = 60_000;

/** A sign-in that is valid now. */
interface SignIn {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The two halves of a new sign-in. */
interface Issued {
  /** Value of the cookie, which a browser sends to every port of the host. */
  readonly value: string;
  /** The page key, which no other origin can read. Derived from the cookie's value and the secret. */
  readonly pageKey: string;
  readonly expiresAt: Date;
}

/** Signs the owner's browser in and out. Any process with the same secret accepts what it issues. */
export interface CookieJar {
  /** Issues a new value each time, so that a cookie set by somebody else is never used. */
  issue(): Issued;
  /** The sign-in of a cookie, whoever sends it. */
  read(value: string): SignIn | undefined;
  /** Whether a page key belongs to a cookie that `read` accepts. */
  isPageOf(value: string, pageKey: string): boolean;
  /** Aborts when the sign-in expires or is ended. */
  ended(signIn: SignIn): AbortSignal;
  /** Ends a sign-in early, in this process until it restarts. */
  end(signIn: SignIn): void;
}

/** @param now milliseconds since the epoch */
export function createCookieJar(secret: Uint8Array, now: () => number): CookieJar {
  const ended = new Map<string, number>();
  const watched = new Map<string, AbortController>();
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest();
  const pageKeyOf = (text: string) => sign(`page key of ${text}`);

  const finish = (id: string): void => {
    watched.get(id)?.abort();
    watched.delete(id);
  };
  const look = ({ id, expiresAt }: SignIn): void => {
    const leftMs = expiresAt - now();
    if (leftMs <= 0) finish(id);
    else if (watched.has(id)) setTimeout(look, Math.min(leftMs, LOOK_MS), { id, expiresAt }).unref();
  };

  return {
    issue() {
      const expiresAt = now() + LIFETIME_MS;
      const text = `${expiresAt.toString(36)}.${randomBytes(16).toString('base64url')}`;
      return {
        value: `${text}.${sign(text).toString('base64url')}`,
        pageKey: pageKeyOf(text).toString('base64url'),
        expiresAt: new Date(expiresAt),
      };
    },
    read(value) {
      const [, expires = '', id = '', signature = ''] = FORM.exec(value) ?? [];
      const expiresAt = Number.parseInt(expires, 36);
      const isOurs = timingSafeEqual(sign(`${expires}.${id}`), padded(signature));
      return isOurs && expiresAt > now() && !ended.has(id) ? { id, expiresAt } : undefined;
    },
    isPageOf: (value, pageKey) => timingSafeEqual(pageKeyOf(value.slice(0, value.lastIndexOf('.'))), padded(pageKey)),
    ended(signIn) {
      const known = watched.get(signIn.id);
      if (known) return known.signal;
      const watch = new AbortController();
      setMaxListeners(0, watch.signal);
      watched.set(signIn.id, watch);
      look(signIn);
      return watch.signal;
    },
    end({ id, expiresAt }) {
      for (const [past, pastAt] of ended) if (pastAt <= now()) ended.delete(past);
      ended.set(id, expiresAt);
      finish(id);
    },
  };
}

/** Hashes to 32 bytes, because the constant-time comparison throws for different lengths. */
function padded(text: string): Uint8Array {
  const bytes = Buffer.alloc(32);
  Buffer.from(text, 'base64url').copy(bytes);
  return bytes;
}
