/** A request target that is split at its question mark. Neither part is percent-decoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Parses the target of a request line. Also accepts an absolute URL, which proxies send. */
export function readTarget(url = '/'): Target {
  const target = url.replace(SCHEME_AND_HOST, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path || '/', query: mark < 0 ? '' : target.slice(mark + 1) };
}

/**
 * Returns the part of a path after a prefix: empty for the prefix itself, undefined if the path is not below the
 * prefix.
 */
export function pathBelow(prefix: string, path: string): string | undefined {
  if (path === prefix) return '';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/**
 * Matches a path segment that may be a token, an invitation code or a person's key. A percent sign matches too, because
 * percent-encoding may hide such a secret.
 */
const SECRET = /%|(?:prt|pinv|pok)_/i;

/** A path as logs show it: a segment that could be a secret is replaced by `:token`. */
export const shownPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (SECRET.test(segment) ? ':token' : segment))
    .join('/');
