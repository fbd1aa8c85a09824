import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip, gzip, gzipSync } from 'node:zlib';
import type { Answer, Departure, RouteRequest } from '@parley/core';
import accepts from 'accepts';
import { ClientDeparture, type CutOff, cutOffOf, type Outbox, onRequestEnd, processOutbox } from './connections.ts';
import { discardRest, readStart, readText } from './request-body.ts';
import { type Below, headerValues, isFromForeignPage } from './request-head.ts';

interface EncodedBody {
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

/**
 * Headers of every answer, also of errors. They forbid caching, referrers and content sniffing. Pages of every origin
 * may read the answer, but their browser sends no cookies.
 */
const ON_EVERY_ANSWER: readonly string[] = [
  ...['Cache-Control', 'no-store'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate, Allow, X-Request-Id'],
];

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
  'traceparent',
];

/** Answers OPTIONS with 204 to pages of every origin. A token is not checked. */
export function answerOptions(
  request: IncomingMessage,
  response: ServerResponse,
  methods: string,
  more: readonly string[] = [],
): void {
  response.writeHead(204, [
    ...ON_EVERY_ANSWER,
    ...more,
    ...['Allow', methods],
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', REQUEST_HEADERS.join(', ')],
    ...['Access-Control-Max-Age', '7200'],
  ]);
  response.end();
  discardRest(request);
}

/** Describes a request when it has ended, for the `log` hook. It never contains headers, bodies, queries or tokens. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path. A segment that could be a token is replaced by `:token`. */
  readonly path: string;
  /** The pattern of the matched route, such as `/api/public/agent/sessions/:session_id/state`. */
  readonly route?: string;
  /** The HTTP status; 499 if the client disconnected before the answer was sent. */
  readonly status: number;
  readonly ms: number;
  /**
   * Id of the request, which is also sent as the header X-Request-Id: the trace id of a valid `traceparent`, otherwise
   * a new id.
   */
  readonly requestId: string;
  /**
   * Why the server closed the connection. Present only if the client did not read its answers or did not finish its
   * body; `status` is then 499.
   */
  readonly cutOff?: CutOff;
}

export interface WireOptions {
  /** Proxies whose X-Forwarded-For is trusted: addresses and networks. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Called once for each request: when the answer was sent, or when the client disconnected before that. */
  readonly log?: (request: AnsweredRequest) => void;
  /** Sends the answers, and disconnects clients that do not read them. Default: the outbox of this process. */
  readonly outbox?: Outbox;
  /**
   * Whether large answers to reads are compressed with gzip, for clients that accept it. Default true. Use false behind
   * a proxy that compresses.
   */
  readonly compression?: boolean;
}

/** The parts of a host that an `Exchange` uses. */
interface ExchangeHost {
  /** Returns the client address of a request; built by `clientAddressReader`. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly outbox: Outbox;
  readonly encodeBody: EncodeBody;
}

const NO_QUERY = new URLSearchParams();

/**
 * A request and its answer, with Node's own objects. Members that few requests need are created when they are first
 * used.
 */
export class Exchange implements RouteRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path after the prefix of the host, not percent-decoded. */
  readonly path: string;
  pathToken: string | null | undefined;
  readonly #query: string;
  readonly #host: ExchangeHost;
  #signal: Departure | undefined;
  #requestId: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, { below, query }: Below, host: ExchangeHost) {
    this.request = request;
    this.response = response;
    this.path = below || '/';
    this.#query = query;
    this.#host = host;
  }

  /** Made when it is first read, because a held poll needs none before its answer. */
  get requestId(): string {
    this.#requestId ??= requestIdOf(this.request);
    return this.#requestId;
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get authorization(): readonly string[] {
    return headerValues(this.request, 'authorization');
  }

  get address(): string {
    return this.#host.addressOf(this.request);
  }

  get signal(): Departure {
    this.#signal ??= new ClientDeparture(this.request, this.response);
    return this.#signal;
  }

  get isFromForeignPage(): boolean {
    return isFromForeignPage(this.request) === true;
  }

  get query(): URLSearchParams {
    return this.#query === '' ? NO_QUERY : new URLSearchParams(this.#query);
  }

  get idempotencyKeys(): readonly string[] {
    return headerValues(this.request, 'idempotency-key');
  }

  readBody(maxChars?: number): Promise<string> {
    return readText(this.request, maxChars);
  }

  readStart(): Promise<string> {
    return readStart(this.request);
  }

  /**
   * Writes the answer: a JSON text or, if `answer.body` is empty, no body. If the body is compressed in another thread,
   * returns a promise that resolves when the headers are written.
   */
  answer(answer: Answer): Promise<void> | void {
    const encoded = this.#host.encodeBody(this.request, answer);
    if (encoded instanceof Promise) return encoded.then((body) => this.#write(answer, body));
    this.#write(answer, encoded);
  }

  #write({ status, headers }: Answer, encoded: EncodedBody): void {
    const client = (): string => this.pathToken ?? this.authorization[0] ?? this.address;
    writeAnswer(
      this.request,
      this.response,
      { status, headers: { ...headers, ...encoded.headers }, body: encoded.body },
      { headers: ['X-Request-Id', this.requestId], outbox: this.#host.outbox, client },
    );
  }
}

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

interface AnswerOptions {
  /** Headers of this answer in addition to those of all answers. Names and values alternate in the list. */
  readonly headers?: readonly string[];
  readonly outbox?: Outbox;
  /** Returns the name under which the unsent bytes of this client are counted. Default: the client's address. */
  readonly client?: () => string;
}

/** An answer whose body is already encoded. */
interface WrittenAnswer extends Pick<Answer, 'status' | 'headers'> {
  readonly body: string | Buffer;
}

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/**
 * Writes an answer with the headers that all answers have. If the body of the request was not read, reads and discards
 * it, so that the client can finish sending it. Does nothing if the app around the host has already answered.
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WrittenAnswer,
  { headers: more = [], outbox = processOutbox, client = () => addressOf(request) }: AnswerOptions = {},
): void {
  if (response.headersSent) return;
  const hasBody = status !== 204;
  response.writeHead(status, [
    ...ON_EVERY_ANSWER,
    ...more,
    ...(body.length === 0 ? [] : JSON_TYPE),
    ...(hasBody ? ['Content-Length', String(Buffer.byteLength(body))] : []),
    ...Object.entries(headers).flat(),
  ]);
  outbox.send({ request, response, client }, body);
  discardRest(request);
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * Returns the trace id of a valid `traceparent`, otherwise a new id. `randomUUID` is used because it draws random bytes
 * for many ids at once, which is faster.
 */
function requestIdOf(request: IncomingMessage): string {
  const [traceparent = ''] = headerValues(request, 'traceparent');
  return TRACEPARENT.exec(traceparent)?.[1] ?? randomUUID().replaceAll('-', '');
}

/** Returns the member `cutOff` of a log entry, or an empty object if the server did not close the connection. */
export function cutOffIn(request: IncomingMessage): Pick<AnsweredRequest, 'cutOff'> {
  const cutOff = cutOffOf(request);
  return cutOff ? { cutOff } : {};
}

/**
 * Logs a request when its answer was sent or its client disconnected.
 *
 * @param describe called at that moment; returns the part of the URL that the log shows
 */
export function logOnEnd(
  exchange: Exchange,
  log: NonNullable<WireOptions['log']>,
  describe: () => Pick<AnsweredRequest, 'path' | 'route'>,
): void {
  const { request, response } = exchange;
  const start = performance.now();
  onRequestEnd(request, response, (isAnswered) => {
    const { path, route } = describe();
    log({
      method: exchange.method,
      path,
      requestId: exchange.requestId,
      ...(route === undefined ? {} : { route }),
      status: isAnswered ? response.statusCode : 499,
      ...cutOffIn(request),
      ms: Math.round(performance.now() - start),
    });
  });
}
