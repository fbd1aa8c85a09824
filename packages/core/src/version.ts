/** Generated from `packages/cli/package.json` by `pnpm docs:plugins`: the version of this release. `health` and the MCP `serverInfo` contain it. */
export const VERSION = '0.1.0';
