/** Version of the release, shown by health and MCP's serverInfo; a test compares it with package.json. */
export const VERSION = '0.1.0';
