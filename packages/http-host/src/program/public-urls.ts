/**
 * Returns the public addresses of the REST host and of the MCP host. The answer to a redeemed invitation contains these
 * addresses.
 *
 * @param origin without a slash at its end; if undefined, there are no addresses
 */
export const publicUrls = (origin: string | undefined) =>
  origin === undefined
    ? {}
    : { publicUrls: { baseUrl: `${origin}/api/public/agent`, mcpUrl: `${origin}/api/public/mcp` } };
