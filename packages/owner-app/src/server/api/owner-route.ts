import type { OwnerPort, PeopleCalls, PeopleMethod } from '@parley/core';

/** What the handler of a route gets from the router. */
export interface OwnerRequest {
  readonly owner: OwnerPort;
  /** The id of the session in the path. Empty for a route without a session. */
  readonly sessionId: string;
  /** The id of the person in the path. Empty for a route without a person. */
  readonly personId: string;
  /** The id of the account in the path. Empty for a route without an account. */
  readonly accountId: string;
  /**
   * Returns the calls about people.
   *
   * @throws ParleyError NOT_FOUND if the router was created without `people`
   */
  readonly people: () => PeopleCalls;
  /** Returns the account of the sender of the request. Undefined if the service has only one account. */
  readonly ownAccount: () => ReturnType<PeopleCalls['ownAccount']>;
  readonly query: Readonly<Record<string, string>>;
  /** Parses the body as JSON. An empty body is treated as `{}`. */
  readBody(): Promise<unknown>;
}

interface RouteAddress {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path relative to the prefix. `{session_id}`, `{person_id}` and `{account_id}` are placeholders for ids. */
  readonly path: string;
  /** Name of the route in the OpenAPI document. */
  readonly operationId: string;
}

export interface JsonRoute extends RouteAddress {
  /**
   * The method or operation of core from which the OpenAPI document takes the summary, input, output and error codes of
   * the route.
   */
  readonly describedBy:
    | { readonly method: DescribedMethod }
    | { readonly operation: string }
    | { readonly people: PeopleMethod };
  run(request: OwnerRequest): Promise<object>;
}

type DescribedMethod =
  | 'audit'
  | 'createSession'
  | 'deleteSession'
  | 'find'
  | 'inbox'
  | 'listSessions'
  | 'overview'
  | 'pauseAll'
  | 'resumeAll'
  | 'setModeratorEntitlement'
  | 'verifyLog'
  | 'whoAmI';

export interface StreamRoute extends RouteAddress {
  readonly streams: 'audit' | 'people' | 'log' | 'events';
}

export type OwnerRoute = JsonRoute | StreamRoute;
