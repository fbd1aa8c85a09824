/** Matches a path segment that may be a token or a code. Matches every segment with a percent sign, because it may hide one. */
const SECRET = /%|(?:prt|pinv|pok)_/i;

/** A path for logs: segments that could be a secret are replaced by `:token`. */
export const shownPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (SECRET.test(segment) ? ':token' : segment))
    .join('/');
