/** The release, as health and MCP's serverInfo name it; a test holds it against package.json. */
export const VERSION = '0.1.0';
