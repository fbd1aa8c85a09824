/**
 * The addresses of both hosts, as a redeemed invitation contains them. Both have the same public origin, even if each host
 * runs as its own program.
 *
 * @param origin without a slash at its end; if undefined, there are no addresses
 */
export const publicUrls = (origin: string | undefined) =>
  origin === undefined
    ? {}
    : { publicUrls: { baseUrl: `${origin}/api/public/agent`, mcpUrl: `${origin}/api/public/mcp` } };
