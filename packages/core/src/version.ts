/** Version of this release, which `health` and the MCP `serverInfo` contain. A test compares it with package.json. */
export const VERSION = '0.1.0';
