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
