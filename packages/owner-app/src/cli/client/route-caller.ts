import type { JsonRoute } from '../../server/api/owner-route.ts';
import type { Json } from './request.ts';

interface RouteRequest {
  readonly sessionId?: string;
  readonly personId?: string;
  readonly accountId?: string;
  readonly input?: Json;
}

/** Calls routes of the owner API that answer with JSON. */
export interface RouteCaller {
  /** Sends the input as the body of a POST or as the query of a GET. Rejects with CliError. */
  call(route: JsonRoute, request?: RouteRequest): Promise<Json>;
}
