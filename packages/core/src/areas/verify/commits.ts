/** Commits are compared in lower case; if one is a prefix of the other, they are the same commit. */
export const isSameCommit = (one: string, other: string): boolean =>
  one.toLowerCase().startsWith(other.toLowerCase()) || other.toLowerCase().startsWith(one.toLowerCase());

/** The longer of two forms of the same commit. */
export const longerCommit = (one: string, other: string): string =>
  (one.length >= other.length ? one : other).toLowerCase();
