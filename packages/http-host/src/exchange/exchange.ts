import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Departure, Sender } from '@parley/core';
import { ClientDeparture, type CutOff, cutOffOf, onRequestEnd } from '../connections/connections.ts';
import { discardRest, readStart, readText } from '../request/body.ts';
import { headerValues } from '../request/head.ts';
import type { EncodeBody, EncodedBody } from './compression.ts';
import { type Outbox, processOutbox } from './outbox.ts';
import { ON_EVERY_ANSWER } from './response-headers.ts';

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
export interface ExchangeHost {
  /** Returns the client address of a request; built by `clientAddressReader`. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly outbox: Outbox;
  readonly encodeBody: EncodeBody;
}

/**
 * A request and its answer, with Node's own objects. Members that few requests need are created when they are first
 * used.
 */
export class Exchange implements Sender {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  pathToken: string | null | undefined;
  readonly #host: ExchangeHost;
  #signal: Departure | undefined;
  #requestId: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, host: ExchangeHost) {
    this.request = request;
    this.response = response;
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

  readText(maxChars?: number): Promise<string> {
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
