import type { IncomingMessage, ServerResponse } from 'node:http';
import Router from '@koa/router';
import { errorAnswer, type HostPort, joiningHint, ParleyError, type RouteListing } from '@parley/core';
import type { Middleware } from 'koa';
import { processOutbox } from './connections.ts';
import { answerOptions, createBodyEncoder, Exchange, logOnEnd, type WireOptions, writeAnswer } from './exchange.ts';
import { type Below, clientAddressReader, pathBelow, readTarget, shownPath } from './request-head.ts';

/** A host that can be mounted in an app: in Koa by its middleware, in Express or `http.createServer` by its handler. */
export interface Host {
  /** The path below which the host answers. The host name of a request does not matter. */
  readonly prefix: string;
  /** For Koa. Requests outside of the prefix go to the next middleware. Mount it before body parsers and loggers. */
  readonly middleware: Middleware;
  /**
   * For Express and Node. Requests outside of the prefix go to `next`; if there is no `next`, they are answered with
   * 404.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;
}

export interface Responder {
  /** The allowed methods, as the answer to OPTIONS lists them. */
  readonly methods: string;
  /** Returns the pattern of the route that a request matches, for logs and metrics. */
  routeOf?(exchange: Exchange, path: string): string | undefined;
  /** Returns the path as logs show it: each token is replaced. */
  shownPath(target: Below): string;
  /** True if the path may contain a token. Later middleware then sees the path without the token. */
  readonly hasPathTokens?: true;
  /** Answers one request. If it throws, core reports the error and the host answers with INTERNAL. */
  respond(exchange: Exchange, target: Below): Promise<void>;
}

/** The prefix of a host, and the options for all its requests. */
export interface HostOptions extends WireOptions {
  /** The path below which the host answers. It begins with a slash; slashes at its end are removed. */
  readonly prefix: string;
}

/**
 * Creates a host that answers the requests below its prefix. It uses Node's own request and response objects, even
 * inside Koa.
 *
 * @throws TypeError for a trusted proxy that is not an address or network
 */
export function createHost(
  { toError, service }: Pick<HostPort, 'toError' | 'service'>,
  { prefix, trustedProxies = [], log, outbox = processOutbox, compression = true }: HostOptions,
  responder: Responder,
): Host {
  const root = prefix.replace(/\/+$/, '');
  const host = { addressOf: clientAddressReader(trustedProxies), outbox, encodeBody: createBodyEncoder(compression) };

  async function answer(request: IncomingMessage, response: ServerResponse, target: Below): Promise<void> {
    const exchange = new Exchange(request, response, target, host);
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
      await exchange.answer(errorAnswer(toError(thrown)));
    }
  }

  return {
    prefix: root,
    async middleware(ctx, next) {
      const target = targetBelow(root, ctx.req);
      if (!target) return await next();
      ctx.respond = false;
      // Replaces an absolute URL by its path. Koa would parse an absolute URL again, and throw for some invalid host
      // names.
      ctx.req.url = target.query ? `${target.path}?${target.query}` : target.path;
      const answered = answer(ctx.req, ctx.res, target);
      if (responder.hasPathTokens) ctx.originalUrl = ctx.request.originalUrl = ctx.req.url ?? '/';
      await answered;
    },
    handler(request, response, next) {
      const target = targetBelow(root, request);
      if (target) void answer(request, response, target);
      else if (next) next();
      else sayNotFound(request, response, service.joining);
    },
  };
}

function targetBelow(root: string, { url }: IncomingMessage): Below | undefined {
  const { path, query } = readTarget(url);
  const below = pathBelow(root, path);
  return below === undefined ? undefined : { path, query, below };
}

/** Removes the token and the query from the URL of a request, so that later middleware cannot log them. */
function hideTarget(request: IncomingMessage, shown: string): void {
  request.url = shown;
  if ('originalUrl' in request) request.originalUrl = shown;
}

function sayNotFound(request: IncomingMessage, response: ServerResponse, hint: string): void {
  if (request.method === 'OPTIONS') answerOptions(request, response, 'OPTIONS');
  else
    writeAnswer(
      request,
      response,
      errorAnswer(new ParleyError('NOT_FOUND', 'This host serves no route at the requested path.', { hint })),
    );
}

/**
 * Makes middleware that answers 404 with an error body that pages of every origin may read. For use as the last
 * middleware of a server that has no pages.
 *
 * @param hint what the client should do instead
 */
export const answerNotFound =
  (hint: string): Middleware =>
  (ctx) => {
    ctx.respond = false;
    sayNotFound(ctx.req, ctx.res, hint);
  };

const sayNoDiscovery = answerNotFound(joiningHint({}));
const DISCOVERY = /^\/(?:\.well-known(?:\/|$)|register$)/;

/**
 * Answers 404 if an MCP client looks for OAuth metadata; otherwise the client could get an HTML page of the app. Mount
 * it once, before the app's pages, even if the app has a REST host and an MCP host.
 */
export const refuseDiscovery: Middleware = async (ctx, next) => {
  if (DISCOVERY.test(readTarget(ctx.req.url).path)) await sayNoDiscovery(ctx, next);
  else await next();
};

export interface HttpHostOptions extends WireOptions {
  /** Path below which the routes are served. Default `/api/public/agent`. */
  readonly prefix?: string;
}

/**
 * Serves the agents' REST interface.
 *
 * @returns middleware and handler for everything below the prefix
 * @throws TypeError for a trusted proxy that is not an address or network
 */
export function createHttpHost(
  parley: HostPort,
  { prefix = '/api/public/agent', ...wire }: HttpHostOptions = {},
): Host {
  const routes = routerFor(parley.routes, prefix);
  return createHost(
    parley,
    { prefix, ...wire },
    {
      methods: 'GET, POST, OPTIONS',
      routeOf: ({ method }, path) => routes.match(path, method).pathAndMethod.at(-1)?.path.toString(),
      shownPath: ({ path }) => shownPath(path),
      respond: async (exchange) => await exchange.answer(await parley.callRoute(exchange)),
    },
  );
}

/**
 * Creates a router that only finds the path pattern of a request's route, for logs and metrics. Core decides whether a
 * route exists, after it has checked the token.
 */
function routerFor(routes: readonly RouteListing[], prefix: string): Router {
  const router = new Router({ prefix, sensitive: true, strict: true });
  for (const { method, path } of routes) router.register(path, [method], (_ctx, next) => next());
  return router;
}
