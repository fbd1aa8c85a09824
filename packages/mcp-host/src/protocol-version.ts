/** The supported versions of MCP, newest first. Newer versions of MCP have no `initialize` and are not supported. */
const SUPPORTED = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/**
 * The version with which the server answers: the client's version if the server supports it, otherwise the newest supported
 * version.
 */
export const agreeOnVersion = (requested: unknown): string =>
  SUPPORTED.find((version) => version === requested) ?? SUPPORTED[0];
