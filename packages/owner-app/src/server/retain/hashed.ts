import type { Hash } from 'node:crypto';

/** Yields the chunks unchanged, and adds each chunk to a hash. */
export async function* hashed<T extends string | Uint8Array>(chunks: AsyncIterable<T>, hash: Hash): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
