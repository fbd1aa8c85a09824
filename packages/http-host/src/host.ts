import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorHeaders, type HostPort, ParleyError } from '@parley/core';
import type { Context, Middleware } from 'koa';
import { clientAddressReader } from './client-address.ts';
import { Exchange, logOnEnd, type WireOptions, writeAnswer } from './exchange.ts';
import { processOutbox } from './outbox.ts';
import { answerOptions } from './response-headers.ts';
import { pathBelow, readTarget, type Target } from './target.ts';

/** A host, to be mounted in an app: in Koa by its middleware, in Express or `http.createServer` by its handler. */
export interface Host {
  /** The path under which the host answers. It answers there under every host name. */
  readonly prefix: string;
  /** For Koa. Passes requests outside of the prefix on to the next middleware. Mount it before body parsers and loggers. */
  readonly middleware: Middleware;
  /** For Express and Node. Passes requests outside of the prefix to `next`; without `next` they get 404. */
  readonly handler: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;
}

/** The part of a host that answers the requests below the prefix. */
export interface Responder {
  /** Methods that the answer to OPTIONS names as allowed. */
  readonly methods: string;
  /** The pattern of the route that answers, for logs and metrics. */
  routeOf?(exchange: Exchange, path: string): string | undefined;
  /** The path for logs, in which a token is replaced. */
  shownPath(target: Below): string;
  /** True if a token may be in the path. Middleware after this host then sees the path without the token. */
  readonly hasPathTokens?: true;
  /** Answers one request. Errors that it throws are reported by the core and answered as INTERNAL. */
  respond(exchange: Exchange, target: Below): Promise<void>;
}

/** The target of a request; `below` is the part after the prefix, not decoded. */
export type Below = Target & { readonly below: string };

/** The prefix of a host, and options for each of its requests. */
export interface HostOptions extends WireOptions {
  /** The path under which the host answers. Begins with a slash; slashes at its end are dropped. */
  readonly prefix: string;
}

/**
 * Makes a host from a responder and a prefix. It reads and writes Node's own request and response. In Koa it does the same: Koa
 * only calls it.
 *
 * @throws TypeError for a trusted proxy that is not an address or network
 */
export function createHost(
  { toError }: Pick<HostPort, 'toError'>,
  { prefix, trustedProxies = [], log, outbox = processOutbox }: HostOptions,
  responder: Responder,
): Host {
  const root = prefix.replace(/\/+$/, '');
  const host = { addressOf: clientAddressReader(trustedProxies), outbox };

  async function answer(request: IncomingMessage, response: ServerResponse, target: Below): Promise<void> {
    const exchange = new Exchange(request, response, host);
    if (responder.hasPathTokens) hideTarget(request, responder.shownPath(target));
    if (log) {
      logOnEnd(exchange, log, () => {
        const route = responder.routeOf?.(exchange, target.path);
        return { path: responder.shownPath(target), ...(route === undefined ? {} : { route }) };
      });
    }
    try {
      if (exchange.method === 'OPTIONS')
        answerOptions(request, response, responder.methods, ['X-Request-Id', exchange.requestId]);
      else await responder.respond(exchange, target);
    } catch (thrown) {
      exchange.answer(answerOf(toError(thrown)));
    }
  }

  return {
    prefix: root,
    async middleware(ctx, next) {
      const target = targetBelow(root, ctx.req);
      if (!target) return await next();
      ctx.respond = false;
      // Replaces the address in absolute form: Koa would parse it again and throw for some host names that it may contain.
      ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
      const answered = answer(ctx.req, ctx.res, target);
      if (responder.hasPathTokens) ctx.originalUrl = ctx.request.originalUrl = ctx.req.url ?? '/';
      await answered;
    },
    handler(request, response, next) {
      const target = targetBelow(root, request);
      if (target) void answer(request, response, target);
      else if (next) next();
      else sayNotFound(request, response);
    },
  };
}

function targetBelow(root: string, { url }: IncomingMessage): Below | undefined {
  const target = readTarget(url);
  const below = pathBelow(root, target.path);
  return below === undefined ? undefined : { ...target, below };
}

/** Replaces the address of a request by one without token and query, before later middleware can log it. */
function hideTarget(request: IncomingMessage, shown: string): void {
  request.url = shown;
  if ('originalUrl' in request) request.originalUrl = shown;
}

function sayNotFound(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'OPTIONS') answerOptions(request, response, 'OPTIONS');
  else
    writeAnswer(
      request,
      response,
      answerOf(new ParleyError('NOT_FOUND', 'This host serves no route at the requested path.')),
    );
}

/** Answers 404 with an error body, to pages of every origin. Use it as the last middleware of a server that has no pages. */
export function answerNotFound(ctx: Context): void {
  ctx.respond = false;
  sayNotFound(ctx.req, ctx.res);
}

const answerOf = (error: ParleyError) => ({
  status: error.status,
  headers: errorHeaders(error),
  body: JSON.stringify(error.body()),
});

const DISCOVERY = /^\/(?:\.well-known(?:\/|$)|register$)/;

/**
 * Answers 404 when an MCP client looks for OAuth metadata; the client must not get an HTML page of the app instead. Mount it
 * once on the origin of both hosts, before the pages.
 */
export const refuseDiscovery: Middleware = async (ctx, next) => {
  if (DISCOVERY.test(readTarget(ctx.req.url).path)) answerNotFound(ctx);
  else await next();
};
