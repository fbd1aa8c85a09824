import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';

const LIFETIME_MS = 12 * 60 * 60 * 1000;
const FORM = /^([0-9a-z]{6,12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
/**
 * Milliseconds between checks of the clock. A single long timer would fire late, because timers do not run while a machine
 * sleeps.
 */
const LOOK_MS = 60_000;

/** A sign-in that is valid now. */
interface SignIn {
  readonly id: string;
  /** When the sign-in expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A new sign-in, in two halves. */
interface Issued {
  /** Value of the cookie. A browser sends it to every port of the host. */
  readonly value: string;
  /** The page key, which no other origin can read. It is derived from the value of the cookie and the secret. */
  readonly pageKey: string;
  readonly expiresAt: Date;
}

/** Signs the owner's browser in and out. A sign-in is accepted by every process that has the same secret. */
export interface CookieJar {
  /** Issues a sign-in. Its value is always new, so that nobody can set a cookie in advance that later becomes valid. */
  issue(): Issued;
  /** The sign-in that a cookie contains; undefined if it is not valid. Does not check the page key. */
  read(value: string): SignIn | undefined;
  /** Whether a page key belongs to the value of a cookie that `read` accepts. */
  isPageOf(value: string, pageKey: string): boolean;
  /** Returns a signal that aborts when the sign-in expires or is ended. */
  ended(signIn: SignIn): AbortSignal;
  /** Ends a sign-in before it expires. Only this process knows this, until it restarts. */
  end(signIn: SignIn): void;
}

/**
 * Makes a cookie jar.
 *
 * @param now returns the current time in milliseconds since the epoch
 */
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

/**
 * Decodes a base64url text into exactly 32 bytes, because the constant-time comparison throws if its arguments differ in
 * length.
 */
function padded(text: string): Uint8Array {
  const bytes = Buffer.alloc(32);
  Buffer.from(text, 'base64url').copy(bytes);
  return bytes;
}
