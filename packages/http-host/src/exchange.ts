import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Sender } from '@parley/core';
import { discardRest, readStart, readText } from './body.ts';
import { type CutOff, cutOffOf } from './cut-off.ts';
import { headerValues } from './header-values.ts';
import { onRequestEnd } from './on-request-end.ts';
import { type Outbox, processOutbox } from './outbox.ts';
import { ON_EVERY_ANSWER } from './response-headers.ts';

/** One answered request, as the `log` hook gets it. Never contains headers, bodies, queries or tokens. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path, with `:token` in place of any segment that could be a token. */
  readonly path: string;
  /** The pattern of the matched route, such as `/api/public/agent/sessions/:session_id/state`. */
  readonly route?: string;
  /** The HTTP status; 499 if the client left before its answer. */
  readonly status: number;
  readonly ms: number;
  /** Id of the request, also sent as the header X-Request-Id. It is the trace id of a valid `traceparent`, else a new id. */
  readonly requestId: string;
  /**
   * The reason, if the server closed the connection because the client did not read its answers or did not finish its body. The
   * status is 499 in that case.
   */
  readonly cutOff?: CutOff;
}

export interface WireOptions {
  /** Proxies whose X-Forwarded-For is trusted: addresses and networks. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Called once for each request: when it was answered, or when the client has left. */
  readonly log?: (request: AnsweredRequest) => void;
  /** Sends the answers, and disconnects clients that do not read them. Default: the outbox of this process. */
  readonly outbox?: Outbox;
}

/** The parts of a host that an exchange uses. */
export interface ExchangeHost {
  /** Returns the client address of a request; built by `clientAddressReader`. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly outbox: Outbox;
}

/** A request and its answer, as Node's own objects. Members that only a few requests need are created on first use. */
export class Exchange implements Sender {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  pathToken: string | null | undefined;
  readonly #host: ExchangeHost;
  #signal: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, host: ExchangeHost) {
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request);
    this.#host = host;
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

  get signal(): AbortSignal {
    this.#signal ??= abortSignal(this.request, this.response);
    return this.#signal;
  }

  /** Reads the body; see {@link readText}. */
  readText(): Promise<string> {
    return readText(this.request);
  }

  /** Reads the start of a refused body; see {@link readStart}. */
  readStart(): Promise<string> {
    return readStart(this.request);
  }

  /** Writes the answer: a JSON text, or no body if the answer has an empty one. */
  answer(answer: Answer): void {
    const client = (): string => this.pathToken ?? this.authorization[0] ?? this.address;
    writeAnswer(this.request, this.response, answer, {
      headers: ['X-Request-Id', this.requestId],
      outbox: this.#host.outbox,
      client,
    });
  }
}

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'];

interface AnswerOptions {
  /** Headers in addition to the headers of all answers: names and values in turn. */
  readonly headers?: readonly string[];
  readonly outbox?: Outbox;
  /** Returns the key under which unsent bytes are counted. Left out: the client address. */
  readonly client?: () => string;
}

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/**
 * Writes an answer with the common headers. If the body of the request was not read, reads and discards it, so that the client
 * can finish sending. If the app around the host has already answered, does nothing.
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
  { headers: more = [], outbox = processOutbox, client = () => addressOf(request) }: AnswerOptions = {},
): void {
  if (response.headersSent) return;
  const hasBody = status !== 204;
  response.writeHead(status, [
    ...ON_EVERY_ANSWER,
    ...more,
    ...(body === '' ? [] : JSON_TYPE),
    ...(hasBody ? ['Content-Length', String(Buffer.byteLength(body))] : []),
    ...Object.entries(headers).flat(),
  ]);
  outbox.send({ request, response, client }, body);
  discardRest(request);
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/**
 * The trace id of a valid `traceparent`, else a new id. Makes new ids with randomUUID, which draws random bytes for many ids at
 * once. Drawing them for each id would double the time of a read.
 */
function requestIdOf(request: IncomingMessage): string {
  const [traceparent = ''] = headerValues(request, 'traceparent');
  return TRACEPARENT.exec(traceparent)?.[1] ?? randomUUID().replaceAll('-', '');
}

function abortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  onRequestEnd(request, response, (isAnswered) => isAnswered || leaving.abort());
  return leaving.signal;
}

/** The member `cutOff` of a log entry. Empty if the server did not close the connection. */
export function cutOffIn(request: IncomingMessage): Pick<AnsweredRequest, 'cutOff'> {
  const cutOff = cutOffOf(request);
  return cutOff ? { cutOff } : {};
}

/**
 * Logs the request when it was answered or the client has left.
 *
 * @param describe called at the end; returns the part of the URL that the log shows
 */
export function logOnEnd(
  { request, response, method, requestId }: Exchange,
  log: NonNullable<WireOptions['log']>,
  describe: () => Pick<AnsweredRequest, 'path' | 'route'>,
): void {
  const start = performance.now();
  onRequestEnd(request, response, (isAnswered) => {
    const { path, route } = describe();
    log({
      method,
      path,
      requestId,
      ...(route === undefined ? {} : { route }),
      status: isAnswered ? response.statusCode : 499,
      ...cutOffIn(request),
      ms: Math.round(performance.now() - start),
    });
  });
}
