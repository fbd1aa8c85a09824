/** Two texts name the same commit if one is the beginning of the other. Letter case is ignored. */
export const isSameCommit = (one: string, other: string): boolean =>
  one.toLowerCase().startsWith(other.toLowerCase()) || other.toLowerCase().startsWith(one.toLowerCase());

export const longerCommit = (one: string, other: string): string =>
  (one.length >= other.length ? one : other).toLowerCase();

/** The first characters of a commit, for a sentence. */
export const shortCommit = (commit: string): string => commit.slice(0, 12);
