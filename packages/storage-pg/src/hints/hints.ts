export type HintListener = (sessionIds: readonly string[]) => void;

/** Sends the ids of changed sessions to other processes, and receives the ids that other processes send. */
export interface Hints {
  onHint(listener: HintListener): () => void;
  hint(sessionIds: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Sends and receives no hints. Used for a database that only one process can open, or if looking for changes every ten
 * seconds is enough.
 */
export const NO_HINTS: Hints = {
  onHint: () => () => undefined,
  hint: () => undefined,
  close: async () => undefined,
};

/**
 * Called with `isLinked: true` when hints begin to arrive, and with `isLinked: false` and the reason when they stop
 * arriving or the first connection fails. Not called if a broken connection can be opened again at the first try.
 */
export type HintsWatcher = (status: { readonly isLinked: boolean; readonly cause?: unknown }) => void;

/** A broker, such as Redis, that carries the hints instead of the database. */
export interface HintBroker {
  /**
   * Opens the connection for hints.
   *
   * @param installation resolves with an id that is the same for all processes on one database and different for every
   *   other installation; rejects while the database does not answer
   */
  open(installation: () => Promise<string>, onStatus?: HintsWatcher): Hints;
}
