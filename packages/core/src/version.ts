/** Version of this release, as health and the serverInfo of MCP show it. A test compares it with package.json. */
export const VERSION = '0.1.0';
