import type { JsonRoute } from '../../server/api/owner-route.ts';
import type { Json } from './request.ts';

interface RouteRequest {
  /** The id of the session, if the route belongs to a session. */
  readonly sessionId?: string;
  /** The id of the person, if the route belongs to a person. */
  readonly personId?: string;
  /** The id of the account, if the route belongs to an account. */
  readonly accountId?: string;
  readonly input?: Json;
}

/** Calls routes of the owner API that answer with JSON. */
export interface RouteCaller {
  /**
   * Sends the input as the body of a POST or as the query of a GET, without members that are undefined. Rejects with
   * CliError.
   */
  call(route: JsonRoute, request?: RouteRequest): Promise<Json>;
}
