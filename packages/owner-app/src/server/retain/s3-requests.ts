import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { connectionFault, refusal } from './s3-faults.ts';

/** A bucket in an S3-compatible store, with the address and the credentials. */
export interface S3Place {
  readonly bucket: string;
  /** The beginning of each key: empty, or a text that ends with a slash. */
  readonly prefix: string;
  /** Address of the store. If undefined, the address of AWS in the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Whether the name of the bucket is in the path of the address. If false, the name is in the host name. */
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token of temporary credentials. Undefined for other credentials. */
  readonly sessionToken: string | undefined;
}

export interface S3Options {
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum milliseconds in which the store sends and receives nothing. Default: 30 s, so that a store that does not
   * answer cannot stop the sweep.
   */
  readonly idleMs?: number | undefined;
}

interface S3Request {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<string>;
}

const IDLE_MS = 30_000;
/** Maximum milliseconds for one file: 15 minutes, so that a very slow store cannot stop the sweep. */
const WHOLE_MS = 15 * 60_000;
const MAX_ERROR_BYTES = 64 * 1024;

export function addressOf({ bucket, endpoint, region, isPathStyle }: S3Place, key: string): URL {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!isPathStyle) url.host = `${bucket}.${url.host}`;
  const parts = [url.pathname.replace(/\/$/, ''), ...(isPathStyle ? [bucket] : []), key];
  url.pathname = parts.join('/');
  return url;
}

/**
 * Sends a signed request. Resolves when the headers of the answer have arrived. Follows no redirect, because a
 * signature is valid for one host only.
 *
 * @throws ArchiveUnavailable if the store accepts no request; ObjectMissing; Error for another failure; any error of
 * `body`
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
    // Uses a new connection for each request, because the store could close a kept connection at the moment of the next
    // request.
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
  // An error after the headers of the answer is ignored here, because it also makes the read of the body fail.
  request.on('error', () => undefined);
  let open: { destroy(error: Error): unknown } = request;
  request.once('response', (answer) => {
    open = answer;
  });
  request.once('timeout', () => open.destroy(new Error(`no byte was sent or received for ${idleMs / 1000} seconds`)));
  const answer = await answerTo(request, body, (error) => connectionFault(error, url.origin, isConnected));
  if (answer.statusCode === 200) return answer;
  const text = await beginningOf(answer);
  request.destroy();
  throw refusal(place, key, answer.statusCode ?? 0, text);
}

/**
 * Reads the body of an answer.
 *
 * @throws Error if the connection breaks before the end of the body
 */
export async function* bodyOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    throw new Error(
      `The store broke off its answer: ${error instanceof Error ? error.message : ''}. A running server repeats the export within an hour.`,
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

/** Sends the body, and returns the answer. The answer may arrive before the whole body is sent. */
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

/**
 * Yields the chunks unchanged. Stores an error of the chunks in `source`, so that it is not treated as an error of the
 * connection.
 */
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
    // A failed read of the body is ignored, because the status alone is enough for the error message.
  }
  return Buffer.concat(chunks).toString('utf8');
}

const anyOf = (one: AbortSignal | undefined, other: AbortSignal): AbortSignal =>
  one ? AbortSignal.any([one, other]) : other;
