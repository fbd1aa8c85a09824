export interface CacheSizes {
  /** Folded sessions, in bytes (estimated from the bytes of their logs and the number of their events). */
  readonly stateBytes: number;
  /** Event bodies, in bytes. */
  readonly eventBytes: number;
  /** Contract revisions and artifacts, in bytes. */
  readonly documentBytes: number;
  /** Cached texts of answers, in bytes. */
  readonly answerBytes: number;
}

/** 140 MiB together: with the embedded database the process stays below 512 MB. */
export const DEFAULT_CACHE: CacheSizes = {
  stateBytes: 80 * 1024 * 1024,
  eventBytes: 24 * 1024 * 1024,
  documentBytes: 24 * 1024 * 1024,
  answerBytes: 12 * 1024 * 1024,
};

/**
 * Divides a total among the caches, in the proportions of the default (140 MiB).
 *
 * @param bytes of all caches together
 */
export function cacheSizes(bytes: number): CacheSizes {
  const { stateBytes, eventBytes, documentBytes, answerBytes } = DEFAULT_CACHE;
  const share = bytes / (stateBytes + eventBytes + documentBytes + answerBytes);
  const of = (part: number): number => Math.floor(part * share);
  return {
    stateBytes: of(stateBytes),
    eventBytes: of(eventBytes),
    documentBytes: of(documentBytes),
    answerBytes: of(answerBytes),
  };
}
