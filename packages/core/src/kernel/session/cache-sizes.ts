export interface CacheSizes {
  /**
   * Maximum size of the cached states of sessions. The size of a state is estimated from the bytes of its log and the
   * number of its events.
   */
  readonly stateBytes: number;
  /** Maximum size of the cached event bodies. */
  readonly eventBytes: number;
  /** Maximum size of the cached contract revisions and artifacts. */
  readonly documentBytes: number;
  /** Maximum size of the cached texts of answers. */
  readonly answerBytes: number;
}

/** The default sizes, 140 MiB in all. The process, with the embedded database, then uses less than 512 MB of memory. */
export const DEFAULT_CACHE: CacheSizes = {
  stateBytes: 80 * 1024 * 1024,
  eventBytes: 24 * 1024 * 1024,
  documentBytes: 24 * 1024 * 1024,
  answerBytes: 12 * 1024 * 1024,
};

/**
 * Divides a number of bytes among the caches in the same proportions as DEFAULT_CACHE.
 *
 * @param bytes total size of all caches
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
