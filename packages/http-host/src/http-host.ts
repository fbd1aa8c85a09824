import Router from '@koa/router';
import type { HostPort, RouteListing } from '@parley/core';
import type { Middleware } from 'koa';
import { exchangeOpener, type WireOptions } from './exchange.ts';
import { createHost, type Host, type Responder } from './host.ts';
import { answerOptions } from './response-headers.ts';
import { shownPath } from './shown-path.ts';

export interface HttpHostOptions extends WireOptions {
  /** Default `/api/public/agent`. */
  readonly prefix?: string;
}

/**
 * Serves the agents' REST interface.
 *
 * @returns middleware and handler for everything below the prefix
 * @throws TypeError for a trusted proxy that is no address or network
 */
export function createHttpHost(
  parley: HostPort,
  { prefix = '/api/public/agent', ...wire }: HttpHostOptions = {},
): Host {
  const open = exchangeOpener(wire);
  const respond: Responder = async (ctx, { path, below, query }) => {
    const exchange = open(ctx, shownPath(path));
    if (ctx.method === 'OPTIONS') return answerOptions(ctx, 'GET, POST, OPTIONS');
    const answer = await parley.callRoute({
      ...exchange.sender,
      method: ctx.method,
      path: below || '/',
      query: new URLSearchParams(query),
      idempotencyKeys: ctx.req.headersDistinct['idempotency-key'] ?? [],
      readBody: exchange.readText,
    });
    exchange.answer(answer);
  };
  // The router's types ask for members that the router itself adds to the context.
  const nameRoute = routerFor(parley.routes, prefix).routes() as Middleware;
  return createHost(parley, prefix, (ctx, target) => nameRoute(ctx, () => respond(ctx, target)));
}

/**
 * Matches for the names of the routes in logs and metrics only. Whether a route exists is for the core to say, after it
 * looked at the token; so every layer, and a request without a layer, ends in the same place.
 */
function routerFor(routes: readonly RouteListing[], prefix: string): Router {
  const router = new Router({ prefix, sensitive: true, strict: true });
  for (const { method, path } of routes) router.register(path, [method], (_ctx, next) => next());
  return router;
}
