/** Two texts name the same commit if one is the beginning of the other. Letter case is ignored. */
export const isSameCommit = (one: string, other: string): boolean =>
  one.toLowerCase().startsWith(other.toLowerCase()) || other.toLowerCase().startsWith(one.toLowerCase());

/** The longer of two forms of the same commit, in lower case. */
export const longerCommit = (one: string, other: string): string =>
  (one.length >= other.length ? one : other).toLowerCase();
