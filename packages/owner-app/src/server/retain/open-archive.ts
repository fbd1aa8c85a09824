import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { type Archive, ArchiveUnavailable, CHECK_FILE, hashed } from './archive.ts';

/**
 * Milliseconds without a write after which a `.part` file is removed. If the writing process then continues, it cannot
 * rename the removed file, and the session is not erased.
 */
const LEFT_MS = 60 * 60 * 1000;

const PART = /^\.parley-.+\.[\da-f]{16}\.part$/;

/**
 * An archive in a folder. The first write creates a missing folder. A file gets its name after its whole content is on
 * the disk, so a crash leaves no incomplete file with this name. Each write has its own `.part` file, so two writers do
 * not mix their texts.
 */
export const createFolderArchive = (folder: string, { now = Date.now } = {}): Archive => ({
  async write(name, chunks) {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refused(folder));
    const part = join(folder, `.${name}.${randomBytes(8).toString('hex')}.part`);
    const hash = createHash('sha256');
    try {
      await writeSynced(part, hashed(chunks(), hash)).catch(refused(folder));
      await rename(part, join(folder, name));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await syncFolder(folder);
    return hash.digest('hex');
  },
  read: (name) => createReadStream(join(folder, name)),
  addressOf: (name) => join(folder, name),

  async examine() {
    let found = folder;
    // Finds the nearest parent folder that exists, because the first write creates a missing folder.
    while (!(await exists(found))) found = dirname(found);
    await readdir(found).catch(refused(folder));
    await access(found, constants.W_OK | constants.X_OK).catch(refused(folder));
  },

  async tidy() {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      if (!PART.test(name)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true });
    }
  },
});

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** What to do if a folder cannot be written, by error code of the operating system. */
const OF_THE_FOLDER: Readonly<Record<string, string>> = {
  EACCES: 'Give the user of the service write permission in the folder',
  EPERM: 'Give the user of the service write permission in the folder',
  EROFS: 'Mount the folder writable',
  ENOTDIR: 'A part of the path is a file: rename the file',
  EEXIST: 'A part of the path is a file: rename the file',
  ENOSPC: 'Free space on the disk of the folder',
  EDQUOT: 'Raise the quota of the user of the service',
};

const refused =
  (folder: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = OF_THE_FOLDER[code];
    if (!advice) throw error;
    throw new ArchiveUnavailable(
      `The folder ${folder} cannot be written (${code}). ${advice}, or change PARLEY_RETAIN_TO.`,
      { cause: error },
    );
  };

async function writeSynced(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, chunks);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the names of the files in a folder to the disk. Skipped on Windows, where a folder cannot be opened. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Thrown if the store has no object of this name. */
class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

type Named = Pick<S3Place, 'bucket' | 'region'>;
type Advice = (place: Named) => string;

const CREDENTIALS: Advice = () => 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
const TEMPORARY: Advice = () =>
  'Get new temporary credentials, and set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.';
const REGION: Advice = ({ region }) => `Set AWS_REGION, which is ${region} now, to the region of the bucket.`;

/** What to do about errors with which a store refuses every request of this service. */
const OF_THE_STORE: Readonly<Record<string, Advice>> = {
  AccessDenied: ({ bucket }) =>
    `Allow the access key in AWS_ACCESS_KEY_ID the actions s3:PutObject, s3:GetObject and s3:ListBucket in the bucket ${bucket}. Without s3:ListBucket, the store also answers AccessDenied for a missing object.`,
  AccountProblem: () => 'Ask the provider of the store about your account.',
  AllAccessDisabled: () => 'Ask the provider of the store about your account.',
  AuthorizationHeaderMalformed: REGION,
  ExpiredToken: TEMPORARY,
  InvalidAccessKeyId: CREDENTIALS,
  InvalidBucketName: () => 'Correct the bucket in PARLEY_RETAIN_TO.',
  InvalidToken: TEMPORARY,
  NoSuchBucket: ({ bucket }) => `Create the bucket ${bucket}, or correct PARLEY_RETAIN_TO.`,
  PermanentRedirect: REGION,
  RequestTimeTooSkewed: () => 'Correct the clock of this machine.',
  SignatureDoesNotMatch: CREDENTIALS,
  TemporaryRedirect: REGION,
};

/** The error for an answer whose status is not 200. */
function refusal(place: Named, key: string, status: number, body: string): Error {
  const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(body) ?? [];
  const object = `s3://${place.bucket}/${key}`;
  if (code === 'NoSuchKey') return new ObjectMissing(`The store has no object ${object}.`);
  const refused = `The store refused ${object} with ${[status, code].filter(Boolean).join(' ')}.`;
  const advice = OF_THE_STORE[code] ?? (status === 401 || status === 403 ? CREDENTIALS : undefined);
  if (advice) return new ArchiveUnavailable(`${refused} ${advice(place)}`);
  return new Error(
    `${refused} A running server repeats the export within an hour. If this happens again, read the log of the store.`,
  );
}

/**
 * The error for a request without an answer. Without a connection it is ArchiveUnavailable, because the store then
 * accepts no request at all.
 */
function connectionFault(error: unknown, origin: string, isConnected: boolean): Error {
  const reason = reasonOf(error);
  if (isConnected)
    return new Error(
      `The store at ${origin} broke off the connection: ${reason}. A running server repeats the export within an hour.`,
      {
        cause: error,
      },
    );
  return new ArchiveUnavailable(
    `The store at ${origin} cannot be reached: ${reason}. Check AWS_ENDPOINT_URL_S3 and the network.`,
    { cause: error },
  );
}

/**
 * The reason of a failed request. If the request was aborted, the cause of the error contains the reason. If several
 * addresses were tried in vain, the error has a code but no message.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return error.cause.message;
  return error.message || ('code' in error ? String(error.code) : error.name);
}

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
async function send(
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
    signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(WHOLE_MS)]),
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
async function* bodyOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
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

/** The place to which sessions are exported before they are erased. */
export type ArchivePlace = { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Place);

/** Opens the archive at a place. `signal` aborts the requests to an S3-compatible store. */
export const openArchive = (place: ArchivePlace, signal?: AbortSignal): Archive =>
  place.kind === 's3' ? createS3Archive(place, { signal }) : createFolderArchive(place.folder);
