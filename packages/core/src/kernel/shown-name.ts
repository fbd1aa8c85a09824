/** A token, a code or an owner key that a client put where a name belongs. */
const SECRET = /(?:prt|pinv|pok)_/i;

/**
 * A name from a request as an error message may repeat it.
 *
 * @param maxChars where it is cut
 * @returns `[secret]` for what could be a token, a code or an owner key
 */
export const shownName = (name: string, maxChars = 60): string =>
  SECRET.test(name) ? '[secret]' : name.slice(0, maxChars);
