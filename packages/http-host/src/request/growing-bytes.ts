/** A buffer for bytes that arrive in chunks. */
export interface GrowingBytes {
  add(chunk: Buffer): void;
  /** The bytes received so far. Valid until the next chunk is added. */
  readonly bytes: Buffer;
  /** Size of the buffer in bytes: at most twice the received bytes, however small the chunks are. */
  readonly size: number;
}

/** Creates an empty buffer. The first chunk is not copied, because most bodies arrive in a single chunk. */
export function createGrowingBytes(): GrowingBytes {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  const grow = (needed: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, needed));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    add(chunk) {
      if (length === 0) {
        buffer = chunk;
      } else {
        if (length + chunk.length > buffer.length) grow(length + chunk.length);
        chunk.copy(buffer, length);
      }
      length += chunk.length;
    },
    get bytes() {
      return buffer.subarray(0, length);
    },
    get size() {
      return buffer.length;
    },
  };
}
