export type HintListener = (sessionIds: readonly string[]) => void;

/** How processes tell each other which sessions changed. */
export interface Hints {
  onHint(listener: HintListener): () => void;
  hint(sessionIds: readonly string[]): void;
  close(): Promise<void>;
}

/** For a database that only one process can open, and where the backstop is to do. */
export const NO_HINTS: Hints = {
  onHint: () => () => undefined,
  hint: () => undefined,
  close: async () => undefined,
};

/**
 * Told when hints begin to travel and when they no longer do, and why. Only changes are told, and no connection that
 * broke and was there again at the first try.
 */
export type HintsWatcher = (status: { readonly isLinked: boolean; readonly cause?: unknown }) => void;

/** Carries hints past the database. */
export interface HintBroker {
  /**
   * @param installation tells what is the same for all processes on one database and differs from any other; rejects
   *   while the database does not answer
   */
  open(installation: () => Promise<string>, onStatus?: HintsWatcher): Hints;
}
