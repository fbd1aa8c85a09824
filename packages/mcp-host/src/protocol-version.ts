/** Revisions of MCP that begin with `initialize`, newest first. Later ones work without it and are another protocol. */
const SUPPORTED = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The revision to answer: the client's own where it is known, else the newest here. */
export const agreeOnVersion = (requested: unknown): string =>
  SUPPORTED.find((version) => version === requested) ?? SUPPORTED[0];
