/** A resource that must be closed. */
interface Closable {
  close(): Promise<unknown>;
}

/** The parts of a program that were opened so far. */
export interface OpenParts {
  /** Adds a part. It may use the parts that were added before. */
  keep<T extends Closable>(part: T): T;
  /** Closes all parts, the last one first, even if closing one of them fails. Rejects with the first such error. */
  close(): Promise<void>;
}

/**
 * Opens parts of which each may use the parts before it.
 * @throws the error of `open`, after all parts that it kept are closed
 */
export async function opening<T>(open: (parts: OpenParts) => Promise<T>): Promise<T> {
  const parts = openParts();
  try {
    return await open(parts);
  } catch (error) {
    // Ignores errors of closing, so that the error of `open` is thrown.
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
