import type { OwnerListing, OwnerPort } from '@parley/core';
import { kebabCase } from '../../text/kebab.ts';

/** The parts of a request to the owner API that a route uses. */
interface OwnerRequest {
  readonly owner: OwnerPort;
  /** Empty for a route without a session. */
  readonly sessionId: string;
  /** The parameters of the address. */
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON; `{}` for an empty one. */
  readBody(): Promise<unknown>;
}

interface RouteAddress {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the prefix; `{session_id}` stands for the session. */
  readonly path: string;
  /** Names the route in the OpenAPI document. */
  readonly operationId: string;
}

/** A route that answers with JSON. */
export interface JsonRoute extends RouteAddress {
  /** The method or operation of core that has summary, input, output and refusals of the route. */
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

/** A route that answers with a stream; it refuses what `verifyLog` refuses. */
export interface StreamRoute extends RouteAddress {
  readonly streams: 'log' | 'events';
}

export type OwnerRoute = JsonRoute | StreamRoute;

/**
 * The routes of the owner in addition to those of the operations, in the order of the OpenAPI document. The router,
 * that document and the requests of the command line are derived from this table.
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

/** The route of an owner operation: a read is GET with a query, a write is POST with a body. */
export const operationRoute = ({ name, effect }: Pick<OwnerListing, 'name' | 'effect'>): JsonRoute => ({
  method: effect === 'read' ? 'GET' : 'POST',
  path: `/sessions/{session_id}/${kebabCase(name)}`,
  operationId: `owner_${kebabCase(name).replaceAll('-', '_')}`,
  describedBy: { operation: name },
  run: async ({ owner, sessionId, query, readBody }) =>
    owner.call(name, sessionId, effect === 'read' ? query : await readBody()),
});

/** Converts `limit` from text to a number, because a query has only text. Any other text is left for core to refuse. */
function pageOf({ limit, ...page }: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return limit === undefined ? page : { ...page, limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit };
}
