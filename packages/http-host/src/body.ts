import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { countCharacters, fail, MAX_BODY_BYTES, MAX_BODY_CHARS, quotedName } from '@parley/core';
import { headerValues } from './header-values.ts';

/** Requests whose sender waits for `100 Continue` before it sends the body. */
const awaitingContinue = new WeakMap<IncomingMessage, ServerResponse>();

/** Leaves the `100 Continue` of a request to the moment its body is wanted. */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  awaitingContinue.set(request, response);
}

/**
 * Reads a request's body as text and stops at the first character too many, whatever Content-Length says.
 *
 * @returns the text; empty without a body
 * @throws ParleyError UNSUPPORTED_ENCODING, BODY_TOO_LARGE above 200,000 characters, INVALID_JSON for bytes that are not UTF-8 or a
 *   body that ends early
 */
export async function readText(request: IncomingMessage): Promise<string> {
  checkEncoding(request);
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) refuseSize();
  if (request.destroyed) refuseHalf();
  if (request.readableDidRead) throw new Error('The body was read before: mount the host ahead of body parsers.');
  awaitingContinue.get(request)?.writeContinue();
  return await collect(request);
}

function checkEncoding(request: IncomingMessage): void {
  const codings = headerValues(request, 'content-encoding').flatMap((value) => value.split(','));
  const encoded = codings.map((coding) => coding.trim()).find((coding) => !/^(identity)?$/i.test(coding));
  if (encoded !== undefined) fail('UNSUPPORTED_ENCODING', `Content-Encoding ${quotedName(encoded)} is not supported.`);
}

function collect(request: IncomingMessage): Promise<string> {
  const text = textCollector();
  return new Promise((resolve, reject) => {
    const attempt = (step: () => void) => {
      try {
        step();
      } catch (error) {
        request.off('data', onData);
        starts.set(request, text.start());
        reject(error);
      }
    };
    const onData = (chunk: Buffer) => attempt(() => text.add(chunk));
    request.on('data', onData);
    request.once('end', () => attempt(() => resolve(text.end())));
    request.once('close', () => attempt(() => request.readableEnded || refuseHalf()));
  });
}

/** Most bodies come in one piece, and decoding that at once costs a tenth. */
function textCollector() {
  let [text, bytes, chars] = ['', 0, 0];
  let first: Buffer | undefined;
  const start: Buffer[] = [];
  let decoder: TextDecoder | undefined;
  const append = (piece: string) => {
    text += piece;
    chars += countCharacters(piece);
    if (chars > MAX_BODY_CHARS) refuseSize();
  };
  return {
    /** What came so far, up to the bytes of a start. */
    start: () => Buffer.concat(start),
    add(chunk: Buffer) {
      if (bytes < START_BYTES) start.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) refuseSize();
      if (first === undefined) {
        first = chunk;
        return;
      }
      if (decoder === undefined) {
        decoder = new TextDecoder('utf-8', STRICT);
        append(decode(decoder, first, PART));
      }
      append(decode(decoder, chunk, PART));
    },
    end() {
      append(decoder ? decode(decoder) : decode(WHOLE, first));
      return text;
    },
  };
}

const STRICT = { fatal: true };
const PART = { stream: true };
const WHOLE = new TextDecoder('utf-8', STRICT);

function decode(decoder: TextDecoder, chunk?: Buffer, options?: { readonly stream: boolean }): string {
  try {
    return decoder.decode(chunk, options);
  } catch {
    return fail('INVALID_JSON', 'The body is not valid UTF-8.', {
      hint: 'Send one JSON object as the body, in UTF-8.',
    });
  }
}

function refuseSize(): never {
  return fail('BODY_TOO_LARGE', `The body is longer than ${MAX_BODY_CHARS} characters.`);
}

function refuseHalf(): never {
  return fail('INVALID_JSON', 'The body ended before its announced length.');
}

/** How much of a refused body is looked at, and how long its sender may take to send so much. */
const START_BYTES = 16_384;
const START_MS = 1_000;

/** The starts of bodies that were refused while they were read. */
const starts = new WeakMap<IncomingMessage, Buffer>();

/**
 * Reads the start of a body that is refused, whether reading it has begun or not: what its first 16 kB are within a
 * second. The body of a sender that waits for `100 Continue` is not asked for.
 *
 * @returns the text; bytes that are not UTF-8 are replaced
 */
export async function readStart(request: IncomingMessage): Promise<string> {
  const bytes = starts.get(request) ?? (await takeStart(request));
  return new TextDecoder().decode(bytes.subarray(0, START_BYTES));
}

function takeStart(request: IncomingMessage): Promise<Buffer> {
  const isGone = request.destroyed || request.readableDidRead || awaitingContinue.has(request);
  if (isGone) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', finish).off('close', finish);
      resolve(Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= START_BYTES) finish();
    };
    const timer = setTimeout(finish, START_MS);
    request.on('data', onData).once('end', finish).once('close', finish);
  });
}

/** A sender that goes on for longer after its answer is cut off. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/** Takes in what a sender still sends of a body that nobody wants, so that it gets to reading the answer. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete && request.readableLength === 0) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
}
