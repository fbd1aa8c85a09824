/** Revisions of MCP that begin with `initialize`, newest first. Later revisions are a different protocol without it. */
const SUPPORTED = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The revision to answer: the client's own if it is known, else the newest in this list. */
export const agreeOnVersion = (requested: unknown): string =>
  SUPPORTED.find((version) => version === requested) ?? SUPPORTED[0];
