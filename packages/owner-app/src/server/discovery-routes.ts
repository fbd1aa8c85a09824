import { type HostPort, joiningHint, KEY_SET_PATH, type Parley } from '@parley/core';
import { peerTest } from '@parley/http-host';
import type { Context, Middleware } from 'koa';

interface Address {
  /** The origin at which agents reach the service. */
  readonly origin: string;
  readonly paths: { readonly rest: string; readonly mcp: string; readonly openApi: string };
  readonly version: string;
}

const ABOUT = 'Two coding agents plan, build and verify one feature together, under a human owner.';

/** https://llmstxt.org: what a program that knows only the address of the service reads first. */
function llmsText({ origin, paths }: Address): string {
  const at = (path: string): string => `${origin}${path}`;
  const entrance = { rest: at(paths.rest), mcp: at(paths.mcp), openApi: at(paths.openApi) };
  return `# Parley

> ${ABOUT}

${joiningHint(entrance)}

## Reference

- [REST](${entrance.openApi}): every call of an agent, as OpenAPI
- [Reference](${at('/docs')}): the same for people
- [MCP](${at(CARD)}): the server card; the endpoint is ${entrance.mcp}
`;
}

const CARD = '/.well-known/mcp/server-card.json';

/** The server card of MCP, SEP-2127. */
const serverCard = ({ origin, paths, version }: Address) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `${reversed(new URL(origin).hostname)}/parley`,
  title: 'Parley',
  description: ABOUT,
  version,
  remotes: [
    {
      type: 'streamable-http',
      url: `${origin}${paths.mcp}`,
      headers: [
        {
          name: 'Authorization',
          description: 'Bearer, and the token for which an invitation code was exchanged',
          isRequired: true,
          isSecret: true,
        },
      ],
    },
  ],
});

/** A host name in the order of reverse DNS, of the characters that a name of a server may have. */
const reversed = (hostname: string): string =>
  hostname
    .replace(/[^\w.-]/g, '-')
    .split('.')
    .toReversed()
    .join('.');

interface DiscoveryOptions {
  readonly service: Pick<HostPort['service'], 'version'>;
  readonly keySet: Parley['keySet'];
  readonly paths: Address['paths'];
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
}

/**
 * Serves the public keys of certificates, and `/llms.txt` and the server card of MCP, with the public address or else the one of the request. A trusted proxy says with
 * X-Forwarded-Proto that its client uses https.
 */
export function createDiscoveryRoutes({
  service,
  keySet,
  paths,
  publicUrl,
  trustedProxies,
}: DiscoveryOptions): Middleware {
  const isFromProxy = peerTest(trustedProxies);
  const isSecure = ({ req }: Context): boolean => isFromProxy(req) && req.headers['x-forwarded-proto'] === 'https';
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && ctx.path === KEY_SET_PATH) {
      ctx.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
      ctx.body = keySet;
      ctx.type = 'application/jwk-set+json';
      return;
    }
    if (!isRead || (ctx.path !== '/llms.txt' && ctx.path !== CARD)) return next();
    const origin = publicUrl ?? originOf(ctx, isSecure(ctx) ? 'https' : 'http');
    if (origin === undefined) return next();
    const address = { origin, paths, version: service.version };
    ctx.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', Vary: 'Host, X-Forwarded-Proto' });
    if (ctx.path === CARD) ctx.body = serverCard(address);
    else {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = llmsText(address);
    }
  };
}

/** The address of the request. Undefined if its Host header is none, because the answer would repeat it. */
function originOf({ req }: Context, scheme: 'http' | 'https'): string | undefined {
  const url = `${scheme}://${req.headers.host ?? ''}`;
  return URL.canParse(url) && new URL(url).origin === url ? url : undefined;
}
