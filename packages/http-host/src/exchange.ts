import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Sender } from '@parley/core';
import type { Context } from 'koa';
import { discardRest, readText } from './body.ts';
import { clientAddressReader } from './client-address.ts';
import { setCommonHeaders } from './response-headers.ts';
import { whenOver } from './when-over.ts';

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
}

export interface WireOptions {
  /** Proxies whose X-Forwarded-For is believed: addresses and networks. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Called once for each request that was answered or left. */
  readonly log?: (request: AnsweredRequest) => void;
}

/** A request as a host works with it. */
export interface Exchange {
  readonly sender: Pick<Sender, 'authorization' | 'address' | 'signal'>;
  /** Reads the body; see {@link readText}. */
  readText(): Promise<string>;
  /** Writes the one answer. */
  answer(answer: Answer): void;
}

/**
 * Builds what opens an exchange for each request: request id, common headers, log entry, abort signal, client address.
 *
 * @returns a function of the Koa context and of the path as logs may show it
 * @throws TypeError for a trusted proxy that is no address or network
 */
export function exchangeOpener({ trustedProxies = [], log }: WireOptions): (ctx: Context, path: string) => Exchange {
  const addressOf = clientAddressReader(trustedProxies);
  return (ctx, path) => {
    const requestId = requestIdOf(ctx.req);
    if (log) logWhenOver(ctx, { method: ctx.method, path, requestId }, log);
    setCommonHeaders(ctx);
    ctx.set('X-Request-Id', requestId);
    return {
      sender: {
        authorization: ctx.req.headersDistinct.authorization ?? [],
        address: addressOf(ctx.req),
        signal: abortSignal(ctx.req, ctx.res),
      },
      readText: () => readText(ctx.req),
      answer: (answer) => writeAnswer(ctx, answer),
    };
  };
}

/** Writes JSON, or nothing for an empty body, and lets the client finish sending what was not read. */
export function writeAnswer(ctx: Context, { status, headers, body }: Answer): void {
  if (body !== '') ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = body === '' ? null : body;
  ctx.status = status;
  ctx.set({ ...headers });
  discardRest(ctx.req);
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

function requestIdOf({ headersDistinct }: IncomingMessage): string {
  const [traceparent = ''] = headersDistinct.traceparent ?? [];
  return TRACEPARENT.exec(traceparent)?.[1] ?? randomBytes(16).toString('hex');
}

function abortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  whenOver(request, response, (isAnswered) => isAnswered || leaving.abort());
  return leaving.signal;
}

type Opening = Pick<AnsweredRequest, 'method' | 'path' | 'requestId'>;

function logWhenOver(ctx: Context, opening: Opening, log: (request: AnsweredRequest) => void): void {
  const start = performance.now();
  whenOver(ctx.req, ctx.res, (isAnswered) => {
    const route: unknown = ctx._matchedRoute;
    log({
      ...opening,
      ...(typeof route === 'string' ? { route } : {}),
      status: isAnswered ? ctx.res.statusCode : 499,
      ms: Math.round(performance.now() - start),
    });
  });
}
