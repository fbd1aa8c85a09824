import type { OwnerListing, OwnerPort } from '@parley/core';
import { kebabCase } from '../../text/kebab.ts';

/** The parts of a request that a route of the owner API uses. */
interface OwnerRequest {
  readonly owner: OwnerPort;
  /** Id of the session; empty for a route without a session. */
  readonly sessionId: string;
  /** The parameters in the query of the address. */
  readonly query: Readonly<Record<string, string>>;
  /** Reads the body as JSON. An empty body is read as `{}`. */
  readBody(): Promise<unknown>;
}

interface RouteAddress {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the prefix. `{session_id}` stands for the id of the session. */
  readonly path: string;
  /** Name of the route in the OpenAPI document. */
  readonly operationId: string;
}

/** A route that answers with JSON. */
export interface JsonRoute extends RouteAddress {
  /** The method or operation of core from which the route has its summary, input, output and error codes. */
  readonly describedBy: { readonly method: DescribedMethod } | { readonly operation: string };
  run(request: OwnerRequest): Promise<object>;
}

type DescribedMethod =
  | 'createSession'
  | 'deleteSession'
  | 'listSessions'
  | 'overview'
  | 'setModeratorEntitlement'
  | 'verifyLog';

/** A route that answers with a stream. Its error codes are those of `verifyLog`. */
export interface StreamRoute extends RouteAddress {
  readonly streams: 'log' | 'events';
}

export type OwnerRoute = JsonRoute | StreamRoute;

/**
 * The routes of the owner that are not derived from operations, in the order of the OpenAPI document. The router, the OpenAPI
 * document and the requests of the command line are derived from this table.
 */
export const OWNER_ROUTES = {
  overview: {
    method: 'GET',
    path: '/overview',
    operationId: 'overview',
    describedBy: { method: 'overview' },
    run: ({ owner, query }) => owner.overview(pageOf(query)),
  },
  setModeratorEntitlement: {
    method: 'POST',
    path: '/moderator-entitlement',
    operationId: 'set_moderator_entitlement',
    describedBy: { method: 'setModeratorEntitlement' },
    run: async ({ owner, readBody }) => owner.setModeratorEntitlement(await readBody()),
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    operationId: 'list_sessions',
    describedBy: { method: 'listSessions' },
    run: ({ owner, query }) => owner.listSessions(pageOf(query)),
  },
  createSession: {
    method: 'POST',
    path: '/sessions',
    operationId: 'create_session',
    describedBy: { method: 'createSession' },
    run: async ({ owner, readBody }) => owner.createSession(await readBody()),
  },
  viewSession: {
    method: 'GET',
    path: '/sessions/{session_id}',
    operationId: 'view_session',
    describedBy: { operation: 'view' },
    run: ({ owner, sessionId, query }) => owner.call('view', sessionId, query),
  },
  deleteSession: {
    method: 'DELETE',
    path: '/sessions/{session_id}',
    operationId: 'delete_session',
    describedBy: { method: 'deleteSession' },
    run: ({ owner, sessionId }) => owner.deleteSession(sessionId),
  },
  verifyLog: {
    method: 'GET',
    path: '/sessions/{session_id}/verify-log',
    operationId: 'session_verify_log',
    describedBy: { method: 'verifyLog' },
    run: ({ owner, sessionId }) => owner.verifyLog(sessionId),
  },
  log: {
    method: 'GET',
    path: '/sessions/{session_id}/log',
    operationId: 'session_log',
    streams: 'log',
  },
  events: {
    method: 'GET',
    path: '/sessions/{session_id}/events',
    operationId: 'session_events',
    streams: 'events',
  },
} as const satisfies Readonly<Record<string, OwnerRoute>>;

/** The route of an owner operation. A read is a GET with a query; a write is a POST with a body. */
export const operationRoute = ({ name, effect }: Pick<OwnerListing, 'name' | 'effect'>): JsonRoute => ({
  method: effect === 'read' ? 'GET' : 'POST',
  path: `/sessions/{session_id}/${kebabCase(name)}`,
  operationId: `owner_${kebabCase(name).replaceAll('-', '_')}`,
  describedBy: { operation: name },
  run: async ({ owner, sessionId, query, readBody }) =>
    owner.call(name, sessionId, effect === 'read' ? query : await readBody()),
});

/**
 * Converts `limit` from text to a number, because a query contains only text. A text that is not a number is not changed; core
 * refuses it.
 */
function pageOf({ limit, ...page }: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return limit === undefined ? page : { ...page, limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit };
}
