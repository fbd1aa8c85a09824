/** The supported versions of MCP, newest first. Newer versions of MCP have no `initialize` and are not supported. */
const SUPPORTED = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/**
 * Chooses the version for the answer to `initialize`: the client's version if it is supported, otherwise the newest
 * supported version.
 */
export const agreeOnVersion = (requested: unknown): string =>
  SUPPORTED.find((version) => version === requested) ?? SUPPORTED[0];
