/** A path segment that may hold a token or a code, whatever way it is escaped. */
const SECRET = /%|(?:prt|pinv|pok)_/i;

/** A path as logs may show it: segments that could be a secret read `:token`. */
export const shownPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => (SECRET.test(segment) ? ':token' : segment))
    .join('/');
