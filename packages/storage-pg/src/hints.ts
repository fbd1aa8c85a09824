export type HintListener = (sessionIds: readonly string[]) => void;

/** How processes inform each other of changed sessions. */
export interface Hints {
  onHint(listener: HintListener): () => void;
  hint(sessionIds: readonly string[]): void;
  close(): Promise<void>;
}

/** No hints: for a database that only one process can open, or if the check every ten seconds is enough. */
export const NO_HINTS: Hints = {
  onHint: () => () => undefined,
  hint: () => undefined,
  close: async () => undefined,
};

/**
 * Called when hints begin to work and when they stop, with the reason. Only changes are reported; a connection that
 * breaks and is reopened at the first attempt is not.
 */
export type HintsWatcher = (status: { readonly isLinked: boolean; readonly cause?: unknown }) => void;

/** Sends hints through a broker instead of the database. */
export interface HintBroker {
  /**
   * @param installation resolves with an id that is the same for all processes on one database and different for any
   * other; rejects while the database does not answer
   */
  open(installation: () => Promise<string>, onStatus?: HintsWatcher): Hints;
}
