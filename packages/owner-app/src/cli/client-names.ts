/** The programs in which an agent runs, as `parley connect --for` and `parley run --for` name them. */
export const CLIENT_NAMES = ['claude-code', 'codex', 'cursor', 'vscode', 'curl'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];
