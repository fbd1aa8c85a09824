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
