interface Closable {
  close(): Promise<unknown>;
}

/** The parts of a program that were opened so far. */
export interface OpenParts {
  /** Adds a part. When the program closes, the part is closed before all parts that were added earlier. */
  keep<T extends Closable>(part: T): T;
  /**
   * Closes all parts, the last part first. If closing a part fails, still closes the other parts; then rejects with the
   * first error.
   */
  close(): Promise<void>;
}

/**
 * Opens the parts of a program one after another. A part may use parts that were opened earlier.
 *
 * @throws the error of `open`, after all parts that it opened are closed
 */
export async function opening<T>(open: (parts: OpenParts) => Promise<T>): Promise<T> {
  const parts = openParts();
  try {
    return await open(parts);
  } catch (error) {
    // Errors of closing are ignored: the caller gets the error of `open`, which came first.
    await parts.close().catch(() => undefined);
    throw error;
  }
}

function openParts(): OpenParts {
  const open: Closable[] = [];
  return {
    keep(part) {
      open.push(part);
      return part;
    },
    async close() {
      const faults: unknown[] = [];
      for (let part = open.pop(); part; part = open.pop()) {
        await part.close().catch((fault: unknown) => faults.push(fault));
      }
      if (faults.length > 0) throw faults[0];
    },
  };
}
