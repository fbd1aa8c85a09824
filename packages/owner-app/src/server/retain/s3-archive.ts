import { createHash } from 'node:crypto';
import { type Archive, CHECK_FILE } from './archive.ts';
import { hashed } from './hashed.ts';
import { ObjectMissing } from './s3-faults.ts';
import { bodyOf, type S3Options, type S3Place, send } from './s3-requests.ts';

/** The largest object that S3 accepts in one request: 5 GiB. */
const MAX_BYTES = 5 * 1024 ** 3;

/**
 * An archive in an S3-compatible store. Each file is sent in one request with its length and SHA-256, so the store
 * keeps the whole file or nothing. The text is computed twice, because its length and SHA-256 are sent first and this
 * machine stores no copy.
 */
export const createS3Archive = (place: S3Place, options: S3Options = {}): Archive => {
  const keyOf = (name: string): string => `${place.prefix}${name}`;
  return {
    async write(name, chunks) {
      const { bytes, sha256 } = await measure(name, chunks());
      const headers = {
        'content-length': String(bytes),
        'content-type': 'text/plain; charset=utf-8',
        'x-amz-checksum-sha256': sha256.toString('base64'),
        'x-amz-content-sha256': sha256.toString('hex'),
      };
      const answer = await send(place, { method: 'PUT', key: keyOf(name), headers, body: chunks() }, options);
      answer.resume();
      return sha256.toString('hex');
    },

    async *read(name) {
      yield* bodyOf(await send(place, { method: 'GET', key: keyOf(name) }, options));
    },

    addressOf: (name) => `s3://${place.bucket}/${keyOf(name)}`,

    async examine() {
      try {
        const answer = await send(place, { method: 'GET', key: keyOf(CHECK_FILE) }, options);
        answer.destroy();
      } catch (error) {
        if (!(error instanceof ObjectMissing)) throw error;
      }
    },

    // An aborted request leaves nothing in the store.
    tidy: async () => undefined,
  };
};

async function measure(name: string, chunks: AsyncIterable<string>): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of hashed(chunks, hash)) bytes += Buffer.byteLength(chunk);
  if (bytes > MAX_BYTES)
    throw new Error(
      `${name} has ${bytes} bytes, but a store accepts at most ${MAX_BYTES} in one request. Set PARLEY_RETAIN_TO to a folder.`,
    );
  return { bytes, sha256: hash.digest() };
}
