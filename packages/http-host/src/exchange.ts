import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Sender } from '@parley/core';
import { discardRest, readStart, readText } from './body.ts';
import { type CutOff, cutOffOf } from './cut-off.ts';
import { headerValues } from './header-values.ts';
import { onRequestEnd } from './on-request-end.ts';
import { type Outbox, processOutbox } from './outbox.ts';
import { ON_EVERY_ANSWER } from './response-headers.ts';

/** One answered request, as the `log` hook gets it. It never holds headers, bodies, queries or tokens. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path, with `:token` in place of whatever could be one. */
  readonly path: string;
  /** The pattern of the matched route, such as `/api/public/agent/sessions/:session_id/state`. */
  readonly route?: string;
  /** The HTTP status; 499 when the client left before its answer. */
  readonly status: number;
  readonly ms: number;
  /** Also on the answer, as X-Request-Id: the trace id of a valid `traceparent`, else a new one. */
  readonly requestId: string;
  /** Why the client was cut off, where it did not read its answers or did not finish its body; the status is 499 then. */
  readonly cutOff?: CutOff;
}

export interface WireOptions {
  /** Proxies whose X-Forwarded-For is believed: addresses and networks. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Called once for each request that was answered or left. */
  readonly log?: (request: AnsweredRequest) => void;
  /** What sends the answers, and cuts off who does not read them. Default: the one of this process. */
  readonly outbox?: Outbox;
}

/** What a request needs to know of the host that it came to. */
export interface ExchangeHost {
  /** As `clientAddressReader` builds it. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly outbox: Outbox;
}

/** A request under way and its one answer, on Node's own objects. What few requests need is made when it is asked for. */
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

  /** Reads the start of a body that is refused; see {@link readStart}. */
  readStart(): Promise<string> {
    return readStart(this.request);
  }

  /** Writes the answer: JSON, or nothing for an empty body. */
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
  /** Names and values by turns, beside those that all answers have. */
  readonly headers?: readonly string[];
  readonly outbox?: Outbox;
  /** Whose unsent bytes are counted together; the address when left out. */
  readonly client?: () => string;
}

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

/**
 * Writes an answer with the headers that all have, and lets the client finish sending what was not read. An app that was
 * tired of waiting may have answered before: then there is nobody left to tell.
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

/** Node draws random bytes for many UUIDs at once; for one at a time they cost as much as the rest of a read. */
function requestIdOf(request: IncomingMessage): string {
  const [traceparent = ''] = headerValues(request, 'traceparent');
  return TRACEPARENT.exec(traceparent)?.[1] ?? randomUUID().replaceAll('-', '');
}

function abortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  onRequestEnd(request, response, (isAnswered) => isAnswered || leaving.abort());
  return leaving.signal;
}

/** Why the client was cut off, as a member of what is logged. */
export function cutOffIn(request: IncomingMessage): Pick<AnsweredRequest, 'cutOff'> {
  const cutOff = cutOffOf(request);
  return cutOff ? { cutOff } : {};
}

/** Tells the log of the request once it is over. @param describe called then: what the log shows of the address */
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
