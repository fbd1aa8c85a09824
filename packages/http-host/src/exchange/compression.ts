import type { IncomingMessage } from 'node:http';
import { constants, createGzip, type Gzip, gzip, gzipSync } from 'node:zlib';
import type { Answer } from '@parley/core';
import accepts from 'accepts';

export interface EncodedBody {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Encodes the body of an answer with an encoding that the client of the request accepts. */
export type EncodeBody = (
  request: IncomingMessage,
  answer: Pick<Answer, 'body' | 'mayCompress'>,
) => EncodedBody | Promise<EncodedBody>;

/** Bodies with fewer bytes are not compressed, because they fit into three network packets. */
const LEAST_BYTES = 4_000;
/**
 * A body of at most this size is compressed in this thread, which takes less time than passing it to another thread.
 */
const MOST_BYTES_HERE = 32_000;
/**
 * The compression level of gzip. Level 6 would take nearly twice the time of level 4, and make a body of 400 kB only
 * 4 % smaller.
 */
const LEVEL = 4;
/**
 * Maximum size in bytes of all bodies that other threads compress at the same time. If a body would exceed it, the body
 * is sent uncompressed.
 */
const MOST_BYTES_AT_ONCE = 16_000_000;

const PLAIN_HEADERS = {};
const VARY = { Vary: 'Accept-Encoding' };
const GZIP = { ...VARY, 'Content-Encoding': 'gzip' };

let bytesUnderWay = 0;

const encodeNothing: EncodeBody = (_request, { body }) => ({ body, headers: PLAIN_HEADERS });

/**
 * Compresses bodies of at least 4,000 bytes with gzip, if the answer allows it and the client accepts gzip. A body
 * above 32,000 bytes is compressed in another thread, so that it does not block the event loop.
 *
 * @param isOn false sends every body uncompressed
 */
export const createBodyEncoder = (isOn: boolean): EncodeBody => (isOn ? encodeLarge : encodeNothing);

const encodeLarge: EncodeBody = (request, answer) => {
  const { body, mayCompress = false } = answer;
  const bytes = mayCompress ? Buffer.byteLength(body) : 0;
  if (bytes < LEAST_BYTES) return encodeNothing(request, answer);
  if (!acceptsGzip(request)) return { body, headers: VARY };
  if (bytes <= MOST_BYTES_HERE) return { body: gzipSync(body, { level: LEVEL }), headers: GZIP };
  return bytesUnderWay + bytes > MOST_BYTES_AT_ONCE ? { body, headers: VARY } : compressInThread(body, bytes);
};

function compressInThread(body: string, bytes: number): Promise<EncodedBody> {
  bytesUnderWay += bytes;
  return new Promise((resolve) => {
    gzip(body, { level: LEVEL }, (error, compressed) => {
      bytesUnderWay -= bytes;
      // gzip fails only if there is no memory for its window. The body is then sent uncompressed.
      resolve(error ? { body, headers: VARY } : { body: compressed, headers: GZIP });
    });
  });
}

const acceptsGzip = (request: IncomingMessage): boolean => accepts(request).encoding(['gzip', 'identity']) === 'gzip';

/** Settings that limit a compressed stream to 64 kB of memory instead of 256 kB, because many streams can be open. */
const STREAM_MEMORY = { windowBits: 13, memLevel: 6 };

interface EncodedStream {
  readonly gzip: Gzip;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns a stream that compresses what is written to it, or undefined if the client does not accept gzip. The stream
 * sends each written piece at once, so that events are not delayed.
 */
export const encodedStream = (request: IncomingMessage): EncodedStream | undefined =>
  acceptsGzip(request)
    ? { gzip: createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH, ...STREAM_MEMORY }), headers: GZIP }
    : undefined;
