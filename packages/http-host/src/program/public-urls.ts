/**
 * The addresses of both hosts that a redeemed invitation names. They share one public origin, even if each host is a
 * program of its own.
 *
 * @param origin without a slash at its end; undefined gives no addresses
 */
export const publicUrls = (origin: string | undefined) =>
  origin === undefined
    ? {}
    : { publicUrls: { baseUrl: `${origin}/api/public/agent`, mcpUrl: `${origin}/api/public/mcp` } };
