import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { fail, MAX_BODY_CHARS, quotedName } from '@parley/core';
import { cutOff } from './connections.ts';
import { headerValues } from './request-head.ts';

/** A buffer for bytes that arrive in chunks. */
interface GrowingBytes {
  add(chunk: Buffer): void;
  /** The bytes received so far. Valid until the next chunk is added. */
  readonly bytes: Buffer;
  /** Size of the buffer in bytes: at most twice the received bytes, however small the chunks are. */
  readonly size: number;
}

/** Creates an empty buffer. The first chunk is not copied, because most bodies arrive in a single chunk. */
function createGrowingBytes(): GrowingBytes {
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

/** Maximum bytes of all unfinished bodies of this process together. */
const MAX_UNFINISHED_BYTES = 16_000_000;

/** The size of each unfinished body in bytes, in the order in which the server began to read the bodies. */
const heldBytes = new Map<IncomingMessage, number>();
let total = 0;

/**
 * Sets the size of an unfinished body. If all unfinished bodies together exceed the limit, closes the connections of
 * the oldest bodies, because an ordinary body arrives within milliseconds. Call `releaseBody` when the body is
 * complete, refused or aborted.
 */
function holdBody(request: IncomingMessage, bytes: number): void {
  if (request.socket.destroyed) return;
  total += bytes - (heldBytes.get(request) ?? 0);
  heldBytes.set(request, bytes);
  for (const oldest of heldBytes.keys()) {
    if (total <= MAX_UNFINISHED_BYTES) return;
    releaseBody(oldest);
    cutOff(oldest.socket, 'unfinished_bodies');
  }
}

function releaseBody(request: IncomingMessage): void {
  total -= heldBytes.get(request) ?? 0;
  heldBytes.delete(request);
}

/** Requests whose clients send the body only after `100 Continue`, with their response objects. */
const awaitingContinue = new WeakMap<IncomingMessage, ServerResponse>();

/** Delays the answer `100 Continue` to a request until its body is read. */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  awaitingContinue.set(request, response);
}

/**
 * Reads a request's body as text. Refuses the body as soon as more than `maxChars` characters have arrived, even if
 * Content-Length names fewer.
 *
 * @param maxChars default 200,000
 * @returns the text; empty for a request without a body
 * @throws ParleyError UNSUPPORTED_ENCODING; BODY_TOO_LARGE above `maxChars`; INVALID_JSON for bytes that are not UTF-8,
 * or for a body that ends early
 */
export async function readText(request: IncomingMessage, maxChars = MAX_BODY_CHARS): Promise<string> {
  return await read(request, textCollector(maxChars));
}

/**
 * Reads a request's body as bytes of any form. Refuses the body as soon as more than `maxBytes` have arrived.
 *
 * @throws ParleyError UNSUPPORTED_ENCODING; BODY_TOO_LARGE; INVALID_JSON for a body that ends early
 */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return await read(request, byteCollector(maxBytes));
}

function read<T>(request: IncomingMessage, collector: Collector<T>): Promise<T> {
  checkEncoding(request);
  if (Number(request.headers['content-length']) > collector.maxBytes) collector.refuseSize();
  if (request.destroyed) refuseHalf();
  if (request.readableDidRead)
    throw new Error('Another middleware has already read the body. Mount the Parley host before body parsers.');
  awaitingContinue.get(request)?.writeContinue();
  return collect(request, collector);
}

/** What becomes of the bytes of a body. */
interface Collector<T> {
  /** A body that Content-Length says is longer is refused unread. */
  readonly maxBytes: number;
  readonly refuseSize: () => never;
  /** Returns the first `START_BYTES` bytes of the body. */
  readonly start: () => Buffer;
  /**
   * Adds a chunk.
   *
   * @returns number of bytes of memory that all chunks take so far
   */
  readonly add: (chunk: Buffer) => number;
  readonly end: () => T;
}

const MAX_CHARACTER_BYTES = 4;

function checkEncoding(request: IncomingMessage): void {
  const codings = headerValues(request, 'content-encoding').flatMap((value) => value.split(','));
  const encoded = codings.map((coding) => coding.trim()).find((coding) => !/^(identity)?$/i.test(coding));
  if (encoded !== undefined) fail('UNSUPPORTED_ENCODING', `Content-Encoding ${quotedName(encoded)} is not supported.`);
}

function collect<T>(request: IncomingMessage, body: Collector<T>): Promise<T> {
  holdBody(request, 0);
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      releaseBody(request);
    };
    const orReject = (step: () => void) => {
      try {
        step();
      } catch (error) {
        stop();
        starts.set(request, body.start());
        reject(error);
      }
    };
    const onData = (chunk: Buffer) => orReject(() => holdBody(request, body.add(chunk)));
    const onEnd = () => {
      stop();
      orReject(() => resolve(body.end()));
    };
    const onClose = () => orReject(refuseHalf);
    request.on('data', onData).once('end', onEnd).once('close', onClose);
  });
}

/**
 * Collects the bytes of a body and decodes them when it is complete. Decoding each chunk when it arrives would take
 * more memory.
 */
function textCollector(maxChars: number): Collector<string> {
  const received = createGrowingBytes();
  let [counted, chars] = [0, 0];
  const tooLarge = (): never => refuseSize(maxChars, 'characters');
  return {
    maxBytes: maxChars * MAX_CHARACTER_BYTES,
    refuseSize: tooLarge,
    start: () => Buffer.from(received.bytes.subarray(0, START_BYTES)),
    add(chunk) {
      received.add(chunk);
      const { bytes, size } = received;
      if (bytes.length > maxChars * MAX_CHARACTER_BYTES) tooLarge();
      // A body with at most `maxChars` bytes cannot have more than `maxChars` characters, so counting is not necessary.
      if (bytes.length <= maxChars) return size;
      chars += countFirstBytes(bytes.subarray(counted));
      counted = bytes.length;
      if (chars - (startsWithMark(bytes) ? 1 : 0) > maxChars) tooLarge();
      return size;
    },
    end: () => decode(received.bytes),
  };
}

function byteCollector(maxBytes: number): Collector<Buffer> {
  const received = createGrowingBytes();
  const tooLarge = (): never => refuseSize(maxBytes, 'bytes');
  return {
    maxBytes,
    refuseSize: tooLarge,
    start: () => Buffer.from(received.bytes.subarray(0, START_BYTES)),
    add(chunk) {
      received.add(chunk);
      if (received.bytes.length > maxBytes) tooLarge();
      return received.size;
    },
    end: () => received.bytes,
  };
}

/**
 * Counts the bytes that begin a character, which are all bytes except UTF-8 continuation bytes. An index loop takes a
 * tenth of the time of an iterator.
 */
function countFirstBytes(bytes: Buffer): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index += 1) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}

/** The byte order mark. Decoding removes it, so it does not count as a character. */
const MARK = Buffer.from('\uFEFF');

const startsWithMark = (bytes: Buffer): boolean => bytes.subarray(0, MARK.length).equals(MARK);

const STRICT = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    return fail('INVALID_JSON', 'The body is not valid UTF-8.', {
      hint: 'Send one JSON object as the body, in UTF-8.',
    });
  }
}

function refuseSize(most: number, unit: 'characters' | 'bytes'): never {
  return fail('BODY_TOO_LARGE', `The body is longer than ${most} ${unit}.`, {
    hint: `Keep the body at or below ${most.toLocaleString('en-US')} ${unit}.`,
  });
}

function refuseHalf(): never {
  return fail('INVALID_JSON', 'The request ended before its body was complete.');
}

/** Limits of `readStart`: a number of bytes, and the milliseconds to wait for them. */
const START_BYTES = 16_384;
const START_MS = 1_000;

const starts = new WeakMap<IncomingMessage, Buffer>();

/**
 * Reads the start of a refused body: up to 16 kB within one second, or the bytes that had arrived before the refusal.
 * If the client waits for `100 Continue`, reads nothing and does not ask the client for the body.
 *
 * @returns the text; bytes that are not UTF-8 become lone surrogates, which no valid text contains
 */
export async function readStart(request: IncomingMessage): Promise<string> {
  const bytes = starts.get(request) ?? (await takeStart(request));
  const text = new TextDecoder().decode(bytes.subarray(0, START_BYTES));
  return isUtf8(bytes) ? text : text.replaceAll('\uFFFD', '\uD800');
}

function takeStart(request: IncomingMessage): Promise<Buffer> {
  const isGone = request.destroyed || request.readableDidRead || awaitingContinue.has(request);
  if (isGone) return Promise.resolve(Buffer.alloc(0));
  const received = createGrowingBytes();
  holdBody(request, 0);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', finish).off('close', finish);
      releaseBody(request);
      resolve(received.bytes);
    };
    const onData = (chunk: Buffer) => {
      received.add(chunk);
      holdBody(request, received.size);
      if (received.bytes.length >= START_BYTES) finish();
    };
    const timer = setTimeout(finish, START_MS);
    request.on('data', onData).once('end', finish).once('close', finish);
  });
}

/** Maximum number of bytes of one body that are discarded. If a client sends more, it is disconnected. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Reads and discards the rest of a refused body. Some clients read the answer only after they have sent their whole
 * body; otherwise these clients would never get the refusal.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete && request.readableLength === 0) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
}
