export type HintListener = (sessionIds: readonly string[]) => void;

/** Tells other processes which sessions have changed, and hears it from them. */
export interface Hints {
  onHint(listener: HintListener): () => void;
  hint(sessionIds: readonly string[]): void;
  close(): Promise<void>;
}

/** No hints. For a database that only one process can open, or if it is enough to check for changes every ten seconds. */
export const NO_HINTS: Hints = {
  onHint: () => () => undefined,
  hint: () => undefined,
  close: async () => undefined,
};

/**
 * Called when hints begin to work and when they stop working, with the reason. Not called if a broken connection is opened
 * again at the first attempt.
 */
export type HintsWatcher = (status: { readonly isLinked: boolean; readonly cause?: unknown }) => void;

/** Sends hints through a broker instead of the database. */
export interface HintBroker {
  /**
   * Opens the hints.
   *
   * @param installation resolves with an id that all processes on one database have in common and no other installation has;
   * rejects while the database does not answer
   */
  open(installation: () => Promise<string>, onStatus?: HintsWatcher): Hints;
}
