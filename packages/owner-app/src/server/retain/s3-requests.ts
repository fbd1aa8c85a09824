import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { connectionFault, refusal } from './s3-faults.ts';

/** A part of a bucket in an S3-compatible store, and how to reach it. */
export interface S3Place {
  readonly bucket: string;
  /** The beginning of each key: empty, or with a slash at its end. */
  readonly prefix: string;
  /** Address of the store. Undefined: that of AWS in the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Whether the bucket is in the path of the address; otherwise it is in the host name. */
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only for temporary credentials. */
  readonly sessionToken: string | undefined;
}

export interface S3Options {
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds in which the store may send and take nothing. Default 30 s; a store that hangs must not stop the sweep. */
  readonly idleMs?: number | undefined;
}

interface S3Request {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<string>;
}

const IDLE_MS = 30_000;
/** 15 minutes for one file; a store that takes a byte now and then must not stop the sweep. */
const WHOLE_MS = 15 * 60_000;
const MAX_ERROR_BYTES = 64 * 1024;

/** The address of an object. */
export function addressOf({ bucket, endpoint, region, isPathStyle }: S3Place, key: string): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!isPathStyle) url.host = `${bucket}.${url.host}`;
  const parts = [url.pathname.replace(/\/$/, ''), ...(isPathStyle ? [bucket] : []), key];
  url.pathname = parts.join('/');
  return url;
}

/**
 * Sends a signed request, and resolves to the answer, whose body is not read yet. Follows no redirect, because a signature is for one
 * host.
 *
 * @throws ArchiveUnavailable if the store takes no request; ObjectMissing; Error for another failure; whatever `body` throws
 */
export async function send(
  place: S3Place,
  { method, key, headers = {}, body }: S3Request,
  { signal, idleMs = IDLE_MS }: S3Options,
): Promise<IncomingMessage> {
  const url = addressOf(place, key);
  const connect = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = connect(url, {
    method,
    headers: await signed(place, method, url, headers),
    // A connection for each request: a kept one could be closed by the store at the moment of the next request.
    agent: false,
    timeout: idleMs,
    signal: anyOf(signal, AbortSignal.timeout(WHOLE_MS)),
  });
  let isConnected = false;
  request.once('socket', (socket) =>
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    }),
  );
  // Errors after the answer end the reading of its body.
  request.on('error', () => undefined);
  let open: { destroy(error: Error): unknown } = request;
  request.once('response', (answer) => {
    open = answer;
  });
  request.once('timeout', () => open.destroy(new Error(`nothing was sent or taken for ${idleMs / 1000} seconds`)));
  const answer = await answerTo(request, body, (error) => connectionFault(error, url.origin, isConnected));
  if (answer.statusCode === 200) return answer;
  const text = await beginningOf(answer);
  request.destroy();
  throw refusal(place, key, answer.statusCode ?? 0, text);
}

/** Reads the body of an answer. @throws Error if the connection breaks before its end */
export async function* bodyOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    throw new Error(
      `The store broke off its answer: ${error instanceof Error ? error.message : ''}. The next sweep tries again.`,
      { cause: error },
    );
  }
}

async function signed(place: S3Place, method: string, url: URL, headers: Readonly<Record<string, string>>) {
  const { region, accessKeyId, secretAccessKey, sessionToken } = place;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers },
    service: 's3',
    region,
    ...credentials,
  });
  return Object.fromEntries((await signer.sign()).headers);
}

/** Sends the body, and returns the answer, which may arrive before all of the body is sent. */
async function answerTo(
  request: ClientRequest,
  body: AsyncIterable<string> | undefined,
  faultOf: (error: unknown) => Error,
): Promise<IncomingMessage> {
  const source: { fault?: unknown } = {};
  const answered = once(request, 'response');
  const sent = body ? pipeline(noting(body, source), request) : Promise.resolve(request.end());
  try {
    const [answer] = await Promise.race([answered, sent.then(() => answered)]);
    return answer;
  } catch (error) {
    throw source.fault ?? faultOf(error);
  }
}

/** Passes chunks on, and notes the error with which they end, so that it is not taken for one of the connection. */
async function* noting(chunks: AsyncIterable<string>, source: { fault?: unknown }): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch (error) {
    source.fault = error;
    throw error;
  }
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).toString('utf8');
}

const anyOf = (one: AbortSignal | undefined, other: AbortSignal): AbortSignal =>
  one ? AbortSignal.any([one, other]) : other;
