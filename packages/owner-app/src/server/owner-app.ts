import { FIRST_ACCOUNT, type HostPort, type Parley, type People, type Storage } from '@parley/core';
import {
  type AnsweredRequest,
  answerNotFound,
  clientAddressReader,
  createHttpHost,
  type Outbox,
  processOutbox,
  refuseDiscovery,
} from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import Koa, { type Context, type Middleware } from 'koa';
import { createCookieWriter } from './access/cookie.ts';
import type { OwnerKey } from './access/key-check.ts';
import { createOwnerAuthentication } from './access/owner-authentication.ts';
import { logOwnerRequests } from './api/answering.ts';
import { createOwnerRouter, createProgramRoute, type OwnerSource } from './api/router.ts';
import { createCompanySignIn, createCookieCipher, createSignInRoutes } from './api/sign-in.ts';
import { type OidcOptions, openOidcProvider, openProxyAccounts, type ProxyOptions } from './company/accounts.ts';
import { type ConsoleFile, createConsoleRoutes } from './console-routes.ts';
import { createDiscoveryRoutes } from './discovery-routes.ts';
import { createHealthRoutes } from './health.ts';
import { refuseForeignHosts } from './host-names.ts';
import { createReferenceRoutes } from './reference/reference-routes.ts';
import { createReportRoute } from './workflow-reports.ts';

/** Id of the owner of the first account. */
export const OWNER_ID = FIRST_ACCOUNT.id;

/**
 * Paths at which the application serves agents. `createParley` gets these paths, because answers to clients without a
 * token contain them.
 */
export const PATHS = { rest: '/api/public/agent', mcp: '/api/public/mcp', openApi: '/openapi.json' };

/** Parts and options of the whole application. */
export interface OwnerAppOptions {
  readonly parley: HostPort & OwnerSource & Pick<Parley, 'keySet' | 'workflowReports'>;
  /** `/readyz` calls `health` to check the storage. */
  readonly storage: Pick<Storage, 'health'>;
  readonly ownerKey: OwnerKey;
  /**
   * The people who have keys of their own. If left out, only the owner key is accepted, and the routes about people
   * answer 404.
   */
  readonly people?: People;
  /** The OpenID provider that signs people in. Needs `people`. If left out, nobody can sign in with a provider. */
  readonly oidc?: OidcOptions | undefined;
  /** The headers in which a proxy sends the user. Needs `people`. If left out, such headers are ignored. */
  readonly proxySignIn?: ProxyOptions | undefined;
  /** Issuers of self-hosted forges whose workflows may report, beside those of github.com and gitlab.com. */
  readonly ciIssuers?: readonly string[] | undefined;
  /** Called with the reason if a sign-in fails at the OpenID provider. The reason contains no token. */
  readonly onSignInFault?: (reason: string) => void;
  /** Called once for each request, without headers, bodies, queries or tokens. */
  readonly log?: (request: AnsweredRequest) => void;
  /** Called with an error that happens after an answer has begun, for example in the middle of a stream. */
  readonly onError?: (error: unknown) => void;
  /** The address that browsers and agents use, if it differs from the address of this server. */
  readonly publicUrl?: string | undefined;
  /** Host names that are accepted in addition to loopback names and IP addresses. Default: every name is accepted. */
  readonly hostNames?: readonly string[] | undefined;
  /** Addresses and networks of the proxies whose X-Forwarded-For is trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Whether MCP also accepts the token in the path. Default: true. */
  readonly pathTokens?: boolean;
  /** Whether large answers are compressed. Default: true; use false behind a proxy that compresses. */
  readonly compression?: boolean;
  readonly isDraining?: () => boolean;
  /** Sends the answers, and disconnects clients that do not read them. Default: the outbox of this process. */
  readonly outbox?: Outbox;
  /** Files of the console. Default: the built console in this package. */
  readonly consoleFiles?: ReadonlyMap<string, ConsoleFile>;
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Creates the whole application as one Koa app: REST and MCP for agents, the owner API with sign-in, health checks and
 * the console.
 *
 * The app does not listen. Pass it to `serve` of `@parley/http-host`, or `app.callback()` to `http.createServer`.
 */
export function createOwnerApp(options: OwnerAppOptions): Koa {
  const {
    parley,
    storage,
    ownerKey,
    people,
    publicUrl,
    hostNames,
    trustedProxies = [],
    pathTokens = true,
    compression = true,
    now = Date.now,
    outbox = processOutbox,
  } = options;
  const { log = () => undefined, onError = () => undefined, isDraining = () => false, consoleFiles } = options;
  const wire = { trustedProxies, log, outbox, compression };
  const addressOf = clientAddressReader(trustedProxies);
  const proxy = people && options.proxySignIn && openProxyAccounts(options.proxySignIn);
  const oidc =
    people && options.oidc && openOidcProvider(options.oidc, now, options.onSignInFault ?? (() => undefined));
  const clients = { addressOf: (ctx: Context) => addressOf(ctx.req), now };
  const authentication = createOwnerAuthentication({
    ownerKey,
    people,
    proxy,
    provider: oidc,
    ownerId: OWNER_ID,
    publicUrl,
    ...clients,
  });
  const company =
    people && (oidc || proxy)
      ? createCompanySignIn({
          people,
          oidc,
          proxy,
          cipher: createCookieCipher(ownerKey.cookieSecret, now),
          writeCookie: createCookieWriter(publicUrl),
          signInPerson: authentication.signInPerson,
          toError: parley.toError,
          ...clients,
        })
      : undefined;
  const app = new Koa();
  const logged = logOwnerRequests(log);
  const middlewares: readonly Middleware[] = [
    ...(hostNames ? [refuseForeignHosts(hostNames, logged)] : []),
    createHttpHost(parley, wire).middleware,
    createMcpHost(parley, { ...wire, pathTokens }).middleware,
    logged,
    createDiscoveryRoutes({ service: parley.service, keySet: parley.keySet, paths: PATHS, publicUrl, trustedProxies }),
    refuseDiscovery,
    createHealthRoutes({ checkStorage: () => storage.health(), isDraining }),
    ...createSignInRoutes({ parley, authentication, company, publicUrl }),
    createReportRoute({ parley, publicUrl, issuers: options.ciIssuers ?? [], ...clients }),
    createProgramRoute({ parley, authenticate: authentication.authenticate, publicUrl }),
    createOwnerRouter({ parley, authenticate: authentication.authenticate, people, publicUrl, outbox, compression }),
    createConsoleRoutes(parley.service, compression, consoleFiles),
    createReferenceRoutes(parley.service.version, compression),
    sayWhereRoutesAre(parley.service.joining),
  ];
  for (const middleware of middlewares) app.use(middleware);
  app.on('error', (error: unknown) => isClientsDoing(error) || onError(error));
  return app;
}

const OWNER_KEY_SENT = /^Bearer +pok_/i;
const OWNER_ROUTES =
  'The owner API is below /owner/api: GET /owner/api/sessions lists the sessions, POST /owner/api/sessions/{id}/<operation> runs an operation, and GET /openapi-owner.json describes the routes.';

/** The last middleware: 404, with a hint for agents, or for the owner if the request has an owner key. */
function sayWhereRoutesAre(joining: string): Middleware {
  const [toAgent, toOwner] = [answerNotFound(joining), answerNotFound(OWNER_ROUTES)];
  return (ctx, next) => (OWNER_KEY_SENT.test(ctx.get('authorization')) ? toOwner : toAgent)(ctx, next);
}

const LEFT = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ECONNRESET',
  'EPIPE',
]);

/**
 * Whether the client caused an error: the client closed a stream, or sent an invalid or slow request that was already
 * answered with a 4xx status.
 */
const isClientsDoing = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return LEFT.has(code) || code.startsWith('HPE_');
};
