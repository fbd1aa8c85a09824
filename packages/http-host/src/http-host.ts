import Router from '@koa/router';
import type { Departure, HostPort, RouteListing, RouteRequest } from '@parley/core';
import type { Exchange, WireOptions } from './exchange/exchange.ts';
import { type Below, createHost, type Host } from './host.ts';
import { headerValues, isFromForeignPage, shownPath } from './request/head.ts';

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
      respond: (exchange, target) =>
        parley.callRoute(new RouteExchange(exchange, target)).then((answer) => exchange.answer(answer)),
    },
  );
}

const NO_QUERY = new URLSearchParams();

class RouteExchange implements RouteRequest {
  readonly path: string;
  readonly #exchange: Exchange;
  readonly #query: string;

  constructor(exchange: Exchange, { below, query }: Below) {
    this.path = below || '/';
    this.#exchange = exchange;
    this.#query = query;
  }

  get method(): string {
    return this.#exchange.method;
  }

  get authorization(): readonly string[] {
    return this.#exchange.authorization;
  }

  get address(): string {
    return this.#exchange.address;
  }

  get signal(): Departure {
    return this.#exchange.signal;
  }

  get isFromForeignPage(): boolean {
    return isFromForeignPage(this.#exchange.request) === true;
  }

  get query(): URLSearchParams {
    return this.#query === '' ? NO_QUERY : new URLSearchParams(this.#query);
  }

  get idempotencyKeys(): readonly string[] {
    return headerValues(this.#exchange.request, 'idempotency-key');
  }

  readonly readBody = (maxChars?: number): Promise<string> => this.#exchange.readText(maxChars);
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
