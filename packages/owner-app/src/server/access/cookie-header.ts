import type { Context } from 'koa';

/** A cookie that only the server reads. */
interface ServerCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly sameSite: 'strict' | 'lax';
  readonly expires: Date;
}

/** Sets a cookie of the answer. */
export type CookieWriter = (ctx: Context, cookie: ServerCookie) => void;

/**
 * Makes a function that sets cookies. A public https address makes them secure even if the connection is not TLS, because a proxy
 * may end the browser's TLS.
 */
export function createCookieWriter(publicUrl: string | undefined): CookieWriter {
  const isHttps = publicUrl?.startsWith('https:') === true;
  return (ctx, { name, value, ...scope }) => {
    const secure = isHttps || ctx.secure;
    ctx.cookies.secure = secure;
    ctx.cookies.set(name, value, { ...scope, httpOnly: true, overwrite: true, secure });
  };
}

/** The values of all cookies with a name, in the order in which they were sent. */
export const cookiesIn = (header: string, wanted: string): string[] =>
  header.split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2);
    return name === wanted && value !== undefined ? [value] : [];
  });
