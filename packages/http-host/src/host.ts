import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorHeaders, type HostPort, ParleyError } from '@parley/core';
import Koa, { type Context, type Middleware } from 'koa';
import { writeAnswer } from './exchange.ts';
import { answerOptions, setCommonHeaders } from './response-headers.ts';
import { pathBelow, readTarget, type Target } from './target.ts';

/** A host to mount: in Koa by its middleware, in Express or `http.createServer` by its handler. */
export interface Host {
  /** The path under which it answers, on every host name. */
  readonly prefix: string;
  /** Passes on what lies outside of the prefix. Mount it ahead of body parsers and loggers. */
  readonly middleware: Middleware;
  /** Passes on to `next` what lies outside of the prefix; without `next` that is answered 404. */
  readonly handler: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;
}

/** Answers one request below a prefix; `path` is what follows the prefix, raw. */
export type Responder = (ctx: Context, target: Target & { readonly below: string }) => Promise<unknown>;

/**
 * Makes a host of a function that answers what lies below a prefix. What that throws is reported by the core and
 * answered as INTERNAL.
 *
 * @param prefix begins with a slash; slashes at its end are dropped
 */
export function createHost({ toError }: Pick<HostPort, 'toError'>, prefix: string, respond: Responder): Host {
  const root = prefix.replace(/\/+$/, '');
  const middleware: Middleware = async (ctx, next) => {
    const target = readTarget(ctx.req.url);
    const below = pathBelow(root, target.path);
    if (below === undefined) return await next();
    // What runs later parses the address again, and throws at some of the hosts that the absolute form can name.
    ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
    try {
      await respond(ctx, { ...target, below });
    } catch (thrown) {
      writeError(ctx, toError(thrown));
    }
  };
  const listener = listenerOf(middleware);
  return {
    prefix: root,
    middleware,
    handler(request, response, next) {
      if (next && pathBelow(root, readTarget(request.url).path) === undefined) next();
      else void listener(request, response);
    },
  };
}

function listenerOf(middleware: Middleware) {
  const app = new Koa().use(middleware).use(answerNotFound);
  // What would be printed is only that clients broke off.
  app.silent = true;
  return app.callback();
}

/** Answers 404 in the error shape, for every origin. The last middleware of a server without pages. */
export function answerNotFound(ctx: Context): void {
  setCommonHeaders(ctx);
  if (ctx.method === 'OPTIONS') answerOptions(ctx, 'OPTIONS');
  else writeError(ctx, new ParleyError('NOT_FOUND', 'Nothing answers at this path.'));
}

const writeError = (ctx: Context, error: ParleyError): void =>
  writeAnswer(ctx, { status: error.status, headers: errorHeaders(error), body: JSON.stringify(error.body()) });

const DISCOVERY = /^\/(?:\.well-known(?:\/|$)|register$)/;

/**
 * Answers 404 to the OAuth discovery of MCP clients, which must never meet the pages of an app.
 * Mount it once on the origin of both hosts, ahead of pages.
 */
export const refuseDiscovery: Middleware = async (ctx, next) => {
  if (DISCOVERY.test(readTarget(ctx.req.url).path)) answerNotFound(ctx);
  else await next();
};
