import type { Context } from 'koa';

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
