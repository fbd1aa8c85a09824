import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_MS = 12 * 60 * 60 * 1000;
const FORM = /^([0-9a-z]{6,12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

interface Cookie {
  readonly id: string;
  readonly expiresAt: number;
}

/** Signs the owner's browser in and out. Any process with the same secret accepts the cookie. */
export interface CookieJar {
  /** A fresh value each time, so that a planted one is never adopted. */
  issue(): { readonly value: string; readonly expiresAt: Date };
  holds(value: string): boolean;
  /** Ends a cookie before its time, in this process until it restarts. */
  end(value: string): void;
}

/** @param now milliseconds since the epoch */
export function createCookieJar(secret: Uint8Array, now: () => number): CookieJar {
  const ended = new Map<string, number>();
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest();

  const read = (value: string): Cookie | undefined => {
    const [, expires = '', id = '', signature = ''] = FORM.exec(value) ?? [];
    const expiresAt = Number.parseInt(expires, 36);
    const isOurs = timingSafeEqual(sign(`${expires}.${id}`), padded(signature));
    return isOurs && expiresAt > now() ? { id, expiresAt } : undefined;
  };

  return {
    issue() {
      const expiresAt = now() + LIFETIME_MS;
      const text = `${expiresAt.toString(36)}.${randomBytes(16).toString('base64url')}`;
      return { value: `${text}.${sign(text).toString('base64url')}`, expiresAt: new Date(expiresAt) };
    },
    holds(value) {
      const cookie = read(value);
      return cookie !== undefined && !ended.has(cookie.id);
    },
    end(value) {
      for (const [id, expiresAt] of ended) if (expiresAt <= now()) ended.delete(id);
      const cookie = read(value);
      if (cookie) ended.set(cookie.id, cookie.expiresAt);
    },
  };
}

/** 32 bytes whatever was sent, so that comparing never throws. */
function padded(signature: string): Uint8Array {
  const bytes = Buffer.alloc(32);
  Buffer.from(signature, 'base64url').copy(bytes);
  return bytes;
}
