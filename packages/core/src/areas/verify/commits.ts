/** Commits compare in lower case; one that is a prefix of the other is the same commit. */
export const isSameCommit = (one: string, other: string): boolean =>
  one.toLowerCase().startsWith(other.toLowerCase()) || other.toLowerCase().startsWith(one.toLowerCase());

/** The form to keep of two that name the same commit. */
export const longerCommit = (one: string, other: string): string =>
  (one.length >= other.length ? one : other).toLowerCase();
