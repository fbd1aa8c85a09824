/** Version of this release. `health` and the MCP `serverInfo` contain it. A test compares it with package.json. */
export const VERSION = '0.1.0';
