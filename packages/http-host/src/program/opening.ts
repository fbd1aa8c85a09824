/** Something that is open until it is closed. */
interface Closable {
  close(): Promise<unknown>;
}

/** The parts of a program that are open so far. */
export interface OpenParts {
  /** Adds a part that rests on those before it. */
  keep<T extends Closable>(part: T): T;
  /** Closes all, the last one first, even if closing one of them fails. Rejects with the first such error. */
  close(): Promise<void>;
}

/**
 * Opens parts that rest on each other.
 *
 * @throws what `open` throws, after all parts that it kept are closed
 */
export async function opening<T>(open: (parts: OpenParts) => Promise<T>): Promise<T> {
  const parts = openParts();
  try {
    return await open(parts);
  } catch (error) {
    // An error while closing must not hide the reason.
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
