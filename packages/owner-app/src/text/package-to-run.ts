/** Generated from `packages/cli/package.json` by `pnpm docs:plugins`: the package with the command `parley`, and its version. */
export const PACKAGE_TO_RUN = '@parley/cli@0.1.0';
