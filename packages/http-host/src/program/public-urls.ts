/**
 * The addresses of both hosts, which the answer to a redeemed invitation contains. Both hosts share one public origin, even if
 * each runs as a separate program.
 *
 * @param origin without a slash at its end; undefined gives no addresses
 */
export const publicUrls = (origin: string | undefined) =>
  origin === undefined
    ? {}
    : { publicUrls: { baseUrl: `${origin}/api/public/agent`, mcpUrl: `${origin}/api/public/mcp` } };
